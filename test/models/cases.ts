import fc from 'fast-check';
import { defined } from '../../workers/exact/defined.ts';
import { expand } from '../../workers/plan/language/expand.ts';
import { parseExpression } from '../../workers/plan/language/parse-expression.ts';
import type { Scope } from '../../workers/plan/language/site.ts';
import { variable } from '../../workers/plan/language/terms.ts';
import { parseTypes, type ValueType } from '../../workers/plan/language/types.ts';
import type { Value } from '../../workers/plan/language/values.ts';
import type { Formula, Problem, Question } from '../../workers/verdict/decide/problem.ts';
import { NAMES, type Name, POOL, rulesOver, TEXTS } from './expressions.ts';
import { assignments, meaningIn, toValue, valuesOf, verdictOver, type World } from './meaning.ts';

export interface Case {
  readonly question: Question;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Which value of its type is known, by name. */
  readonly known: Readonly<Record<string, number>>;
  readonly facts: readonly unknown[];
  readonly rules: readonly unknown[];
}

/** Tendencies of cases, so that each verdict is frequent. The oracle decides the verdict of each case. */
type Leaning = 'contradictory' | 'torn' | 'implied' | 'known' | 'open' | 'free';
const LEANINGS: Readonly<Record<Question, readonly Leaning[]>> = {
  holds: ['contradictory', 'implied', 'torn', 'torn', 'known', 'open', 'open', 'open', 'open', 'free'],
  possible: ['contradictory', 'torn', 'torn', 'known', 'free', 'open'],
};

export const cases = (question: Question): fc.Arbitrary<Case> =>
  fc
    .record({
      names: fc.subarray([...NAMES], { minLength: 1, maxLength: 3 }),
      leaning: fc.constantFrom(...LEANINGS[question]),
    })
    .chain(({ names, leaning }) => {
      const bool = rulesOver(names);
      const isKnown = leaning === 'known';
      return fc
        .record({
          known: fc.dictionary(fc.constantFrom(...names), fc.nat(9), {
            minKeys: isKnown ? names.length : 0,
            maxKeys: isKnown ? names.length : Math.max(1, names.length - 1),
          }),
          facts: fc.array(bool, { maxLength: 1 }),
          rules: fc.array(bool, { minLength: 1, maxLength: isKnown || leaning === 'open' ? 1 : 2 }),
        })
        .map(({ known, facts, rules }): Case => {
          const [rule] = rules;
          const base = { question, variables: pick(names), known };
          if (leaning === 'contradictory') return { ...base, facts: [rule, ['not', rule]], rules: rules.slice(1) };
          const open = { ...base, known: {} };
          if (leaning === 'torn') return { ...open, facts: [rule], rules: [...rules.slice(1), ['not', rule]] };
          if (leaning === 'implied')
            return { ...open, facts: [rule], rules: rules.map((other) => ['or', rule, other]) };
          if (leaning === 'open') return { ...open, facts: [], rules };
          return { ...base, facts: leaning === 'free' ? facts : [], rules };
        });
    });

const pick = (names: readonly Name[]) => Object.fromEntries(names.map((name) => [name, POOL[name]]));

/** The case as the solver gets it. */
export function problemOf({ question, variables, known, facts, rules }: Case): Problem {
  const types = parseTypes(variables, '');
  const scope: Scope = { names: { var: types } };
  const names = { var: new Map([...types.keys()].map((name) => [name, variable(name)])) };
  const formula =
    (prefix: string) =>
    (json: unknown, index: number): Formula => ({
      id: `${prefix}${index}`,
      term: expand(parseExpression(json, { type: { type: 'bool' }, scope }), names),
    });
  const values = valuesOfWorld(knownOf(known, types), types);
  return { question, variables: types, values, facts: facts.map(formula('f')), rules: rules.map(formula('r')) };
}

const valuesOfWorld = (world: World, types: ReadonlyMap<string, ValueType>): ReadonlyMap<string, Value> =>
  new Map([...world].map(([name, value]) => [name, toValue(value, defined(types.get(name)))]));

function knownOf(known: Case['known'], types: ReadonlyMap<string, ValueType>): World {
  return new Map(
    Object.entries(known).map(([name, choice]) => {
      const values = valuesOf(defined(types.get(name)), TEXTS);
      return [name, defined(values[choice % values.length])] as const;
    }),
  );
}

/** The case as the oracle gets it: all worlds, and what is true in them. */
export function worldsOf({ variables, known: chosen, facts, rules }: Case) {
  const types = parseTypes(variables, '');
  const known = knownOf(chosen, types);
  const worlds = [...assignments(new Map([...types].map(([name, type]) => [name, valuesOf(type, TEXTS)])))];
  const obeys = (world: World, formulas: readonly unknown[]) =>
    formulas.every((json) => meaningIn(json, world) === true);
  const agrees = (world: World) => [...known].every(([name, value]) => `${world.get(name)}` === `${value}`);
  return {
    worlds,
    isFact: (world: World) => agrees(world) && obeys(world, facts),
    isRule: (world: World) => obeys(world, rules),
    obeys,
    agrees,
    valuesIn: (world: World) => valuesOfWorld(world, types),
  };
}

export interface VerdictCase {
  readonly problem: Problem;
  /** The verdict that is right. */
  readonly right: string;
  /** The drawn case, for failure messages. */
  readonly source: Case;
}

/** Cases of a question, the same for the same seed. Brute force decides their verdicts. */
export function* drawCases(question: Question, seed: number, count: number): Generator<VerdictCase> {
  for (const source of fc.sample(cases(question), { seed, numRuns: count })) {
    const { worlds, isFact, isRule } = worldsOf(source);
    yield { problem: problemOf(source), right: verdictOver(question, worlds, isFact, isRule), source };
  }
}
