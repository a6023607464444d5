import { formatNumber } from '../../../exact/numbers.ts';
import type { ToolLimit } from '../../../exact/tool-schema.ts';
import { scaleOf, UNBOUNDED } from '../../language/types.ts';
import type { TypesByName } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readNumber } from '../types/read-value.ts';
import { quote, readNamed, unknownName } from '../yaml/fields.ts';
import { asScalar, type ScalarNode, type TextNode } from '../yaml/text-node.ts';

const LIMIT =
  /^([0-9][0-9.]*)\s+(?:of\s+([A-Za-z0-9_.:-]+)|acts?)(?:\s+for\s+each\s+([A-Za-z0-9_.:-]+))?\s+per\s+(hour|day|week)$/;
const EXAMPLE = '10000.00 of amount per day, or 3 acts for each to per week';

/** Limits as operators write them: `daily: 10000.00 of amount per day`, `each: 3 acts for each to per week`. */
export function readLimits(node: TextNode | undefined, args: TypesByName, log: FaultLog): ToolLimit[] {
  const entries = readNamed(node, `limits by name, such as ${EXAMPLE}`, log);
  return log.each(entries, ({ key, value }) => readLimit(key.text, asScalar(value, EXAMPLE), args));
}

function readLimit(id: string, { text, at }: ScalarNode, args: TypesByName): ToolLimit {
  const [, most, of, per, within] = LIMIT.exec(text) ?? [];
  if (most === undefined || (within !== 'hour' && within !== 'day' && within !== 'week')) {
    throw new TextError('MALFORMED_VALUE', at, `${quote(text)} is not a limit: write ${EXAMPLE}`);
  }
  if (per !== undefined && !args.has(per)) {
    throw unknownName({ text: per, at }, args.keys(), `the tool has no argument ${per}`);
  }
  const type = of === undefined ? { type: 'int' as const, ...UNBOUNDED } : args.get(of);
  if (type?.type !== 'int' && type?.type !== 'decimal') {
    throw unknownName({ text: of ?? '', at }, args.keys(), `${of} is not a number among the arguments`);
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
