import fc from 'fast-check';
import { defined } from '../../../../workers/exact/defined.ts';
import { NAMES, type Name, POOL, rulesOver } from '../../../models/expressions.ts';
import { assignments, meaningOf, type Thing, type World } from '../../../models/meaning.ts';

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

/** Rules under which a smaller value of one variable requires a larger value of another. */
const TIES: readonly (readonly [readonly Name[], unknown])[] = [
  [
    ['b', 'd'],
    ['or', B, ['>', D, ['dec', '0.1']]],
  ],
  [
    ['b', 'e'],
    ['or', B, ['=', E, ['enum', 'z']]],
  ],
  [
    ['b', 'n'],
    ['iff', B, ['<', N, 1]],
  ],
  [
    ['b', 's'],
    ['or', B, ['=', S, ['str', 'A']]],
  ],
  [
    ['d', 'n'],
    ['>=', ['+', D, N], 1],
  ],
  [
    ['e', 'n'],
    ['or', ['!=', E, ['enum', 'x']], ['!=', ['*', 2, ['div', N, 2]], N]],
  ],
  [
    ['e', 'u'],
    ['implies', ['=', E, ['enum', 'x']], ['=', U, ['str', 'AB']]],
  ],
  [
    ['s', 'u'],
    ['!=', S, U],
  ],
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
      const ties = TIES.filter(([both]) => both.every((name) => names.includes(name))).map(([, tie]) => tie);
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

/** The correct result of a composition, by brute force over the values of all variables. */
export interface Expected {
  readonly isConsistent: boolean;
  readonly witness: readonly (readonly [string, string | boolean])[];
  readonly redundant: readonly string[];
}

export function tryAll(sheets: readonly TinySheet[]): Expected | undefined {
  if (clashIn(sheets)) return undefined;
  const names = [...new Set(sheets.flatMap(({ variables }) => Object.keys(variables)))].sort();
  const orders = names.map((name) => [name, valuesOf(name, sheets)] as const);
  // The last variable changes fastest, so the first world is the least.
  const worlds = [...assignments(new Map(orders.toReversed()))].map((world): World => world);
  const rules = sheets.flatMap(({ name, rules: own }) => own.map((rule, index) => [`${name}@1.0.0#r${index}`, rule]));
  const solutions = worlds.filter((world) => rules.every(([, rule]) => isTrue(rule, world)));
  const [least] = solutions;
  let left = worlds;
  const redundant: string[] = [];
  for (const [id, rule] of rules) {
    const holding = left.filter((world) => isTrue(rule, world));
    if (holding.length === left.length) redundant.push(`${id}`);
    left = holding;
  }
  return {
    isConsistent: least !== undefined,
    witness: [...(least ?? [])]
      .map(([name, value]) => [name, typeof value === 'object' ? say(value) : value] as const)
      .sort(),
    redundant,
  };
}

/** Whether the formulas of a core contradict each other, by brute force over numbers far beyond their bounds. */
export function areTorn(sheets: readonly TinySheet[], core: readonly string[]): boolean {
  const formulas = core.map((id) => {
    const [sheet, fragment] = id.split('@1.0.0#');
    const rest = defined(fragment);
    const { variables, rules } = defined(sheets.find(({ name }) => name === sheet));
    const variable = rest.startsWith('variables/') ? rest.slice('variables/'.length) : undefined;
    const rule = rules[Number(rest.slice(1))];
    const type = variable === undefined ? undefined : defined(variables[variable]);
    return {
      names:
        variable === undefined
          ? Object.keys(POOL).filter((name) => JSON.stringify(rule).includes(`"${name}"`))
          : [variable],
      isTrue: (world: World) => (type === undefined ? isTrue(rule, world) : isWithin(world.get(`${variable}`), type)),
    };
  });
  const names = new Set(formulas.flatMap((formula) => formula.names));
  const choices = [...names].map((name) => [name, wideValuesOf(name, sheets)] as const);
  for (const world of assignments(new Map(choices))) {
    if (formulas.every((formula) => formula.isTrue(world))) return false;
  }
  return true;
}

const isTrue = (rule: unknown, world: World): boolean => meaningOf(rule, world) === true;

function clashIn(sheets: readonly TinySheet[]): boolean {
  const lengths = new Set(sheets.flatMap(({ variables: { u } }) => (u === undefined ? [] : [u.max])));
  return lengths.size > 1;
}

/** The sorted values of a variable within the bounds of every sheet. */
function valuesOf(name: string, sheets: readonly TinySheet[]): readonly Thing[] {
  const types = sheets.flatMap(({ variables }) => variables[name] ?? []);
  return wideValuesOf(name, sheets).filter((value) => types.every((type) => isWithin(value, type)));
}

function wideValuesOf(name: string, sheets: readonly TinySheet[]): readonly Thing[] {
  const declared = defined(sheets.flatMap(({ variables }) => variables[name] ?? [])[0]);
  const { type } = declared;
  if (type === 'bool') return [false, true];
  if (type === 'enum') return POOL.e.values;
  if (type === 'int') return upTo(20).map((value) => [value, 1n] as const);
  if (type === 'decimal') return upTo(150).map((value) => [value, 10n] as const);
  return textsOf(sheets).filter((text) => isWithin(text, declared));
}

const upTo = (most: number) => Array.from({ length: 2 * most + 1 }, (_, index) => BigInt(index - most));

function isWithin(value: Thing | undefined, { type, min, max }: TinyType): boolean {
  if (type === 'string') return [...`${value}`].length <= Number(max);
  if (typeof value !== 'object') return true;
  const tenths = (value[0] * 10n) / value[1];
  return Number(tenths) >= Math.round(Number(min) * 10) && Number(tenths) <= Math.round(Number(max) * 10);
}

/**
 * The strings in the sheets, the empty string, and one further letter for each string variable. Sorted by length, then by
 * code unit.
 */
function textsOf(sheets: readonly TinySheet[]): readonly string[] {
  const variables = new Map(sheets.flatMap(({ variables: own }) => Object.entries(own)));
  const written = JSON.stringify(sheets.map(({ rules }) => rules)).matchAll(/\["(?:str|enum)","(\w*)"\]/g);
  const texts = new Set(['', ...[...written].map(([, text]) => defined(text))]);
  for (const { values } of variables.values()) for (const value of values ?? []) texts.add(value);
  let wanted = [...variables.values()].filter(({ type }) => type === 'string').length;
  for (const letter of 'abcdefgh') {
    if (wanted === 0 || texts.has(letter)) continue;
    texts.add(letter);
    wanted -= 1;
  }
  return [...texts].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}

function say(value: Thing | undefined): string {
  if (typeof value !== 'object') return String(value);
  const [numerator, denominator] = value;
  return denominator === 1n ? `${numerator}` : (Number(numerator) / 10).toFixed(1);
}
