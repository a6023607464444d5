import { formatNumber } from '../../../exact/numbers.ts';
import type { ToolLimit } from '../../../exact/tool-schema.ts';
import { scaleOf, UNBOUNDED } from '../../language/types.ts';
import type { TypesByName } from '../cel/scope.ts';
import { knownNames } from '../faults/suggest.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readNumber } from '../types/read-value.ts';
import { quote, readNamed } from '../yaml/fields.ts';
import { asScalar, type ScalarNode, type TextNode } from '../yaml/text-node.ts';

const LIMIT =
  /^([0-9][0-9.]*)\s+(?:of\s+([A-Za-z0-9_.:-]+)|acts?)(?:\s+for\s+each\s+([A-Za-z0-9_.:-]+))?\s+per\s+(hour|day|week)$/;
const EXAMPLE = '10000.00 of amount per day, or 3 acts for each to per week';

/** Limits as operators write them: `daily: 10000.00 of amount per day`, `each: 3 acts for each to per week`. */
export function readLimits(node: TextNode | undefined, args: TypesByName, log: FaultLog): ToolLimit[] {
  return readNamed(node, `limits by name, such as ${EXAMPLE}`, log).flatMap(({ key, value }) => {
    const limit = log.attempt(() => readLimit(key.text, asScalar(value, EXAMPLE), args));
    return limit === undefined ? [] : [limit];
  });
}

function readLimit(id: string, { text, at }: ScalarNode, args: TypesByName): ToolLimit {
  const [, most, of, per, within] = LIMIT.exec(text) ?? [];
  if (most === undefined || (within !== 'hour' && within !== 'day' && within !== 'week')) {
    throw new TextError('MALFORMED_VALUE', at, `${quote(text)} is not a limit: write ${EXAMPLE}`);
  }
  if (per !== undefined && !args.has(per)) {
    throw new TextError('UNKNOWN_NAME', at, `the tool has no argument ${per}.${knownNames(per, args.keys())}`);
  }
  const type = of === undefined ? { type: 'int' as const, ...UNBOUNDED } : args.get(of);
  if (type?.type !== 'int' && type?.type !== 'decimal') {
    throw new TextError(
      'UNKNOWN_NAME',
      at,
      `${of} is not a number among the arguments.${knownNames(of ?? '', args.keys())}`,
    );
  }
  // The bounds of the argument are those of one act, not of their sum.
  const unbounded = { ...type, ...UNBOUNDED };
  return {
    id,
    of: of ?? null,
    per: per ?? null,
    within,
    most: formatNumber({ numerator: readNumber(most, unbounded, at), scale: scaleOf(type) }),
  };
}
