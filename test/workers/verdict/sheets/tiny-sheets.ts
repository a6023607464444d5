import fc from 'fast-check';
import { parseTypes } from '../../../../workers/plan/language/types.ts';
import { NAMES, type Name, POOL, rulesOver } from '../../../models/expressions.ts';
import { decimalOf, type Scalar } from '../../../models/interpret.ts';
import { assignments, meaningIn, valuesOf, type World } from '../../../models/meaning.ts';

export interface TinySheet {
  readonly name: string;
  readonly variables: Readonly<Record<string, TinyType>>;
  readonly rules: readonly unknown[];
}

interface TinyType {
  readonly type: string;
  readonly scale?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly values?: readonly string[];
}

/** Types for the second sheet. They are narrower than those of the pool, or different. */
const OTHERS: Partial<Record<Name, TinyType>> = {
  n: { type: 'int', min: 1, max: 2 },
  d: { type: 'decimal', scale: 1, min: '0.1', max: '0.2' },
  u: { type: 'string', max: 3 },
};

const [B, D, E, N, S, U] = ['b', 'd', 'e', 'n', 's', 'u'].map((name) => ['var', name]);

/** Rules under which a smaller value of one variable requires a larger value of another, by their names. */
const TIES: readonly (readonly [string, unknown])[] = [
  ['bd', ['or', B, ['>', D, ['dec', '0.1']]]],
  ['be', ['or', B, ['=', E, ['enum', 'z']]]],
  ['bn', ['iff', B, ['<', N, 1]]],
  ['bs', ['or', B, ['=', S, ['str', 'A']]]],
  ['dn', ['>=', ['+', D, N], 1]],
  ['en', ['or', ['!=', E, ['enum', 'x']], ['!=', ['*', 2, ['div', N, 2]], N]]],
  ['eu', ['implies', ['=', E, ['enum', 'x']], ['=', U, ['str', 'AB']]]],
  ['su', ['!=', S, U]],
];

/** Two sheets that share variables. In some cases, a rule is repeated or contradicts itself. */
export const tinySheets: fc.Arbitrary<readonly TinySheet[]> = fc
  .record({
    names: fc.shuffledSubarray([...NAMES], { minLength: 2, maxLength: 3 }),
    others: fc.subarray(
      NAMES.filter((name) => name in OTHERS),
      { minLength: 0, maxLength: 1 },
    ),
    leaning: fc.constantFrom('free', 'tied', 'tied', 'repeated', 'torn'),
  })
  .chain(({ names, others, leaning }) => {
    const typeOf = (name: Name, isOther: boolean): TinyType => (isOther ? OTHERS[name] : undefined) ?? POOL[name];
    const typesOf = (own: readonly Name[], isLast: boolean) =>
      Object.fromEntries(own.map((name) => [name, typeOf(name, isLast && others.includes(name))]));
    const rules = (own: readonly Name[]) => fc.array(rulesOver(own), { minLength: 1, maxLength: 2 });
    const half = names.slice(0, 2);
    return fc.tuple(rules(half), rules(names)).map(([first, second]) => {
      const [rule] = first;
      const ties = TIES.filter(([both]) => [...both].every((name) => names.some((one) => one === name))).map(
        ([, tie]) => tie,
      );
      const more = { free: [], tied: ties, repeated: [rule], torn: [['not', rule]] }[leaning];
      const last = leaning === 'tied' && ties.length > 0 ? second.slice(1) : second;
      return [
        { name: 'one', variables: typesOf(half, false), rules: first },
        { name: 'two', variables: typesOf(names, true), rules: [...more, ...last] },
      ];
    });
  });

export const documentOf = ({ name, variables, rules }: TinySheet) => ({
  sheet_format: 1 as const,
  name,
  version: '1.0.0',
  title: 'Tiny',
  variables,
  constraints: rules.map((expr, index) => ({ id: `r${index}`, expr })),
});

/** The sheets with the formulas of a core alone. */
export const restrictedTo = (sheets: readonly TinySheet[], core: readonly string[]) =>
  sheets.map((sheet) => {
    const own = core.flatMap((id) =>
      id.startsWith(`${sheet.name}@1.0.0#`) ? id.slice(`${sheet.name}@1.0.0#`.length) : [],
    );
    const types = Object.entries(sheet.variables).map(([name, { min, max, ...type }]) => {
      const bounds = own.includes(`variables/${name}`) ? { ...(min === undefined ? {} : { min }), max } : {};
      return [name, type.type === 'string' ? { ...type, max } : { ...type, ...bounds }];
    });
    const rules = sheet.rules.filter((_, index) => own.includes(`r${index}`));
    return documentOf({ ...sheet, variables: Object.fromEntries(types), rules: [...rules, ['bool', true]] });
  });

/** Whether variables of the two sheets have types that cannot be one. */
export const isClash = (sheets: readonly TinySheet[]): boolean =>
  new Set(sheets.flatMap(({ variables: { u } }) => (u === undefined ? [] : [u.max]))).size > 1;

/** The correct result of a composition, by brute force over the values of all variables within the bounds of every sheet. */
export function tryAll(sheets: readonly TinySheet[]) {
  const types = sheets.map(({ variables }) => parseTypes(variables, ''));
  const texts = textsOf(sheets);
  const names = [...new Set(types.flatMap((own) => [...own.keys()]))].sort();
  const choices = names.map((name) => {
    const [first = [], ...others] = types.flatMap((own) => own.get(name) ?? []).map((type) => valuesOf(type, texts));
    return [
      name,
      first.filter((value) => others.every((all) => all.some((other) => `${other}` === `${value}`))),
    ] as const;
  });
  const rules = sheets.flatMap(({ name, rules: own }) =>
    own.map((rule, index) => [`${name}@1.0.0#r${index}`, rule] as const),
  );
  const redundant: string[] = [];
  // The last variable changes fastest, so the first world is the least.
  let left: readonly World[] = [...assignments(new Map(choices.toReversed()))];
  for (const [id, rule] of rules) {
    const holding = left.filter((world) => meaningIn(rule, world) === true);
    if (holding.length === left.length) redundant.push(id);
    left = holding;
  }
  const [least] = left;
  return { witness: least && [...least].map(([name, value]) => [name, say(name, value)] as const).sort(), redundant };
}

/** What the sheets write, the empty string, and a letter for each string variable. Sorted by length, then by code unit. */
function textsOf(sheets: readonly TinySheet[]): readonly string[] {
  const variables = Object.entries(
    Object.assign({}, ...sheets.map((sheet) => sheet.variables)) as TinySheet['variables'],
  );
  const written = [...JSON.stringify(sheets).matchAll(/\["(?:str|enum)","(\w*)"\]/g)].map(([, text]) => `${text}`);
  const known = ['', ...written, ...variables.flatMap(([, { values }]) => values ?? [])];
  const fresh = [...'abcd'].filter((letter) => !known.includes(letter));
  const strings = variables.filter(([, { type }]) => type === 'string');
  const texts = new Set([...known, ...fresh.slice(0, strings.length)]);
  return [...texts].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}

/** Decimals have one place. */
function say(name: string, value: Scalar): string | boolean {
  if (typeof value !== 'bigint') return value;
  const { numerator, scale } = decimalOf(value);
  return (Number(numerator) / 10 ** scale).toFixed(name === 'd' ? 1 : 0);
}
