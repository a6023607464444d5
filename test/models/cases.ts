import fc from 'fast-check';
import { defined } from '../../workers/exact/defined.ts';
import { DocumentError } from '../../workers/exact/document-error.ts';
import { expand } from '../../workers/plan/language/expand.ts';
import { parseExpression } from '../../workers/plan/language/parse-expression.ts';
import type { Scope } from '../../workers/plan/language/site.ts';
import { variable } from '../../workers/plan/language/terms.ts';
import { parseTypes, type ValueType } from '../../workers/plan/language/types.ts';
import type { Value } from '../../workers/plan/language/values.ts';
import type { Formula, Problem, Question } from '../../workers/verdict/decide/problem.ts';
import { AMOUNT, NAMES, type Name, POOL, rulesOver, TEXTS } from './expressions.ts';
import { assignments, meaningOf, type Thing, valuesOf, type World } from './meaning.ts';
import { unfold } from './unfold.ts';

export interface Case {
  readonly question: Question;
  readonly variables: Readonly<Record<string, unknown>>;
  /** How many actions of step "pay" there may be. */
  readonly slots: number;
  /** Which value of its type is known, by key. */
  readonly known: Readonly<Record<string, number>>;
  readonly facts: readonly unknown[];
  readonly rules: readonly unknown[];
}

const AMOUNTS = parseTypes({ k: AMOUNT }, '');

/** Tendencies of cases, so that each verdict is frequent. The oracle decides the verdict of each case. */
type Leaning = 'contradictory' | 'torn' | 'implied' | 'known' | 'open' | 'free';
const LEANINGS: Readonly<Record<Question, readonly Leaning[]>> = {
  holds: [
    'contradictory',
    'contradictory',
    'implied',
    'torn',
    'torn',
    'torn',
    'known',
    'known',
    'open',
    'open',
    'open',
    'free',
  ],
  possible: ['contradictory', 'torn', 'torn', 'known', 'free', 'open'],
};

export const cases = (question: Question): fc.Arbitrary<Case> =>
  fc
    .record({
      names: fc.subarray([...NAMES], { minLength: 1, maxLength: 3 }),
      slots: fc.constantFrom(0, 0, 2),
      leaning: fc.constantFrom(...LEANINGS[question]),
    })
    .chain(({ names: drawn, slots, leaning }) => {
      const names = slots > 0 ? drawn.slice(0, 1) : drawn;
      const bool = rulesOver(names, slots > 0);
      const keys = keysOf({ variables: pick(names), slots });
      const isKnown = leaning === 'known';
      return fc
        .record({
          known: fc.dictionary(fc.constantFrom(...keys), fc.nat(9), {
            minKeys: isKnown ? keys.length : 0,
            maxKeys: isKnown ? keys.length : Math.max(1, keys.length - 1),
          }),
          facts: fc.array(bool, { maxLength: 1 }),
          rules: fc.array(bool, { minLength: 1, maxLength: isKnown || leaning === 'open' ? 1 : 2 }),
        })
        .map(({ known, facts, rules }): Case => {
          const [rule] = rules;
          const base = { question, variables: pick(names), slots, known };
          if (leaning === 'contradictory') return { ...base, facts: [rule, ['not', rule]], rules: rules.slice(1) };
          const open = { ...base, known: {} };
          if (leaning === 'torn') return { ...open, facts: [rule], rules: [...rules.slice(1), ['not', rule]] };
          if (leaning === 'implied')
            return { ...open, facts: [rule], rules: rules.map((other) => ['or', rule, other]) };
          if (leaning === 'open') return { ...open, facts: [], rules };
          return { ...base, facts: leaning === 'free' ? facts : [], rules };
        })
        .filter(isReadable);
    });

/** Whether its rules are not too large once their aggregates are written out. */
function isReadable(one: Case): boolean {
  try {
    problemOf(one);
    return true;
  } catch (error) {
    if (error instanceof DocumentError) return false;
    throw error;
  }
}

const pick = (names: readonly Name[]) => Object.fromEntries(names.map((name) => [name, POOL[name]]));

const keysOf = ({ variables, slots }: Pick<Case, 'variables' | 'slots'>): readonly string[] => [
  ...Object.keys(variables).map((name) => `/var/${name}`),
  ...Array.from({ length: slots }, (_, slot) => [`/actions/${slot}/present`, `/actions/${slot}/arg/k`]).flat(),
];

/** The case as the solver gets it. */
export function problemOf({ question, variables, slots, known, facts, rules }: Case): Problem {
  const types = typesOf({ variables, slots });
  const scope: Scope = { names: { var: typesByName(types) } };
  const names = { var: new Map([...types.keys()].map((key) => [nameOf(key), variable(key)])) };
  const formula =
    (prefix: string) =>
    (json: unknown, index: number): Formula => ({
      id: `${prefix}${index}`,
      term: expand(parseExpression(unfold(json, slots), { type: { type: 'bool' }, scope }), names),
    });
  const values = new Map<string, Value>();
  for (const [key, thing] of knownOf({ known }, types)) values.set(key, typeof thing === 'object' ? thing[0] : thing);
  return { question, variables: types, values, facts: facts.map(formula('f')), rules: rules.map(formula('r')) };
}

/** Variables of the case have their own names, and parts of actions have their keys. */
const nameOf = (key: string): string => key.replace(/^\/var\//, '');
const typesByName = (types: ReadonlyMap<string, ValueType>) =>
  new Map([...types].map(([key, type]) => [nameOf(key), type]));

function typesOf({ variables, slots }: Pick<Case, 'variables' | 'slots'>): ReadonlyMap<string, ValueType> {
  const declared = parseTypes(variables, '');
  return new Map(
    keysOf({ variables, slots }).map((key): [string, ValueType] => {
      if (key.endsWith('/present')) return [key, { type: 'bool' }];
      return [key, defined(key.endsWith('/k') ? AMOUNTS.get('k') : declared.get(key.slice('/var/'.length)))];
    }),
  );
}

function knownOf({ known }: Pick<Case, 'known'>, types: ReadonlyMap<string, ValueType>): ReadonlyMap<string, Thing> {
  return new Map(
    Object.entries(known).flatMap(([key, choice]) => {
      const values = valuesOf(defined(types.get(key)), TEXTS);
      return [[key, defined(values[choice % values.length])] as const];
    }),
  );
}

/** The case as the oracle gets it: all worlds, and what is true in them. */
export function worldsOf(one: Case) {
  const types = typesOf(one);
  const known = knownOf(one, types);
  const choices = new Map([...types].map(([key, type]) => [key, valuesOf(type, TEXTS)]));
  const assigned = new Map<World, ReadonlyMap<string, Thing>>();
  for (const assignment of assignments(choices)) assigned.set(worldOf(assignment, one.slots), assignment);
  const isTrue = (json: unknown, world: World) => meaningOf(json, world) === true;
  const obeys = (world: World, formulas: readonly unknown[]) => formulas.every((json) => isTrue(json, world));
  const agrees = (world: World) =>
    [...known].every(([key, value]) => `${defined(assigned.get(world)).get(key)}` === `${value}`);
  const valuesIn = (world: World): ReadonlyMap<string, Value> =>
    new Map(
      [...defined(assigned.get(world))].map(([key, thing]) => [key, typeof thing === 'object' ? thing[0] : thing]),
    );
  return {
    worlds: [...assigned.keys()],
    isFact: (world: World) => agrees(world) && obeys(world, one.facts),
    isRule: (world: World) => obeys(world, one.rules),
    obeys,
    agrees,
    valuesIn,
  };
}

function worldOf(assignment: ReadonlyMap<string, Thing>, slots: number): World {
  const names = new Map<string, Thing>();
  for (const [key, value] of assignment) {
    if (key.startsWith('/var/')) names.set(`var ${key.slice('/var/'.length)}`, value);
  }
  const actions: ReadonlyMap<string, Thing>[] = [];
  for (let slot = 0; slot < slots; slot += 1) {
    const amount = assignment.get(`/actions/${slot}/arg/k`);
    if (amount === undefined || assignment.get(`/actions/${slot}/present`) !== true) continue;
    actions.push(new Map([['arg k', amount]]));
  }
  return { names, actions: new Map([['pay', actions]]) };
}
