import test from 'ava';
import { parseValue } from '../../../../workers/plan/language/values.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import type { Decision, Problem, Witness } from '../../../../workers/verdict/decide/problem.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { fc } from '../../../kit/fast-check.ts';
import { type Case, cases, problemOf, worldsOf } from '../../../models/cases.ts';
import { verdictOver, type World } from '../../../models/meaning.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const RUNS = 150;
const REACHABLE = {
  holds: ['invalid_input', 'satisfied', 'underdetermined', 'violated'],
  possible: ['invalid_input', 'satisfied', 'violated'],
} as const;

for (const question of ['holds', 'possible'] as const) {
  test(`${question}: verdicts match brute force, and each verdict is frequent`, (t) => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(cases(question), (one) => {
        const all = worldsOf(one);
        const expected = verdictOver(question, all.worlds, all.isFact, all.isRule);
        const decision = decide(problemOf(one), by);
        counts.set(expected, (counts.get(expected) ?? 0) + 1);
        t.is(decision.verdict, expected);
        checkReport(decision, one, all);
      }),
      { numRuns: RUNS, seed: 7 },
    );
    t.deepEqual([...counts.keys()].sort(), REACHABLE[question]);
    for (const [verdict, count] of counts) t.true(count >= 0.15 * RUNS, `${verdict}: ${count} of ${RUNS}`);
  });
}

/** Checks the witnesses and the core of a decision by brute force. @throws {Error} if one of them is wrong */
function checkReport(decision: Decision, one: Case, all: ReturnType<typeof worldsOf>): void {
  const { worlds, isFact, isRule, agrees, obeys, valuesIn } = all;
  const problem = problemOf(one);
  const checkWitness = (witness: Witness | undefined, holds: boolean) => {
    const values = completed(witness, problem);
    const world = worlds.find((one) => [...valuesIn(one)].every(([key, value]) => values.get(key) === value));
    if (world === undefined || !isFact(world) || isRule(world) !== holds) throw new Error('the witness is wrong');
  };
  const isPossible = (background: (world: World) => boolean, formulas: readonly unknown[]) =>
    worlds.some((world) => background(world) && obeys(world, formulas));
  const isMinimal = (background: (world: World) => boolean, formulas: readonly unknown[]) =>
    !isPossible(background, formulas) &&
    formulas.every((_, index) => formulas.length === 1 || isPossible(background, formulas.toSpliced(index, 1)));
  const rulesOf = (ids: readonly string[]) => ids.map((id) => one.rules[Number(id.slice(1))]);

  switch (decision.verdict) {
    case 'satisfied':
      if (decision.question === 'possible') checkWitness(decision.witness, true);
      break;
    case 'underdetermined':
      checkWitness(decision.holding, true);
      checkWitness(decision.failing, false);
      break;
    case 'violated':
      if (!isMinimal(isFact, rulesOf(decision.core))) throw new Error('the core is not minimal');
      if (rulesOf(decision.broken).some((rule) => worlds.some((world) => agrees(world) && obeys(world, [rule])))) {
        throw new Error('a rule that is reported as broken is not broken');
      }
      break;
    default:
  }
}

/** The values of all variables. The witness has the values that are not known. */
function completed(witness: Witness = new Map(), { variables, values }: Problem) {
  const shared = [...witness.keys()].some((key) => values.has(key));
  if (shared || witness.size + values.size !== variables.size) throw new Error('the witness is about other variables');
  return new Map(
    [...variables].map(([key, type]) => [key, values.get(key) ?? parseValue(witness.get(key), type, key)]),
  );
}
