import type { ToolAmount } from '../../../exact/tool-schema.ts';
import { spokenPart } from '../../language/parts.ts';
import { typesOf } from '../../read/tool-parts.ts';
import type { TypesByName } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { quote, unknownName } from '../yaml/fields.ts';
import { asScalar, itemsOf, type ScalarNode } from '../yaml/text-node.ts';
import type { ToolText } from './read-tool-parts.ts';

const NAME = '[A-Za-z0-9_.:-]{1,64}';
const AMOUNT = new RegExp(
  `^(args|response)\\.(${NAME})\\s+in\\s+(?:(0\\.[0-9]{1,18}|[1-9][0-9]{0,17}|args\\.${NAME})\\s+)?([A-Z][A-Z0-9]{2,11}|args\\.${NAME})$`,
);
const EXAMPLE = 'args.amount in EUR, args.cents in 0.01 EUR, or response.fee in args.currency';

/** Amounts as operators write them: `args.amount in EUR`, or a list. Faults are logged. */
export function readAmounts({ fields, args, responds }: ToolText, log: FaultLog): ToolAmount[] {
  const node = fields.get('amounts');
  if (node === undefined) return [];
  return log.each(itemsOf(node), (item) => readAmount(asScalar(item, EXAMPLE), args, typesOf(responds)));
}

function readAmount({ text, at }: ScalarNode, args: TypesByName, responds: TypesByName): ToolAmount {
  const [, scope, name, unit = '1', currency] = AMOUNT.exec(text) ?? [];
  if (name === undefined || currency === undefined || Number(unit) === 0) {
    throw new TextError('MALFORMED_VALUE', at, `${quote(text)} is not an amount: write ${EXAMPLE}`);
  }
  const types = scope === 'args' ? args : responds;
  const number = partIn(name, types);
  assertType({ name: number, types, kinds: ['int', 'decimal'], what: 'number' }, at);
  const part = (value: string): string | string[] => {
    if (!value.startsWith('args.')) return value;
    const argument = partIn(value.slice('args.'.length), args);
    assertType({ name: argument, types: args, kinds: ['string', 'enum'], what: 'text or enum' }, at);
    return ['arg', argument];
  };
  return { of: [scope === 'args' ? 'arg' : 'resp', number], unit: part(unit), currency: part(currency) };
}

/** `payment.amount` is the member of an object, unless an argument has this name. */
const partIn = (name: string, types: TypesByName): string => (types.has(name) ? name : name.replaceAll('.', '/'));

interface Wanted {
  readonly name: string;
  readonly types: TypesByName;
  readonly kinds: readonly string[];
  readonly what: string;
}

function assertType({ name, types, kinds, what }: Wanted, at: number): void {
  if (kinds.includes(types.get(name)?.type ?? '')) return;
  const known = [...types].flatMap(([key, { type }]) => (kinds.includes(type) && !key.includes('#') ? [key] : []));
  const said = spokenPart(name);
  throw unknownName({ text: said, at }, known.map(spokenPart), `${quote(said)} is not a ${what} there`);
}
