import test from 'ava';
import fc from 'fast-check';
import { decide } from '../../../../workers/solver/decide/decide.ts';
import { PROCEDURES, type Procedure, type Step } from '../../../../workers/solver/decide/procedure.ts';
import { createBruteForceSolver } from '../brute-force-solver.ts';
import { cases, problemOf, worldsOf } from '../cases.ts';
import { judge } from '../judge.ts';

const { holds } = PROCEDURES;
const solver = createBruteForceSolver();

/** Whether a procedure gives every case the verdict that it has by definition. */
function isRight(procedure: Procedure): boolean {
  const { failed } = fc.check(
    fc.property(cases('holds'), (one) => {
      const { worlds, isFact, isRule } = worldsOf(one);
      const { verdict } = decide(problemOf(one), {
        solver,
        rlimit: 1,
        procedures: { ...PROCEDURES, holds: procedure },
      });
      return verdict === judge('holds', worlds, isFact, isRule);
    }),
    { numRuns: 200, seed: 1, endOnFailure: true },
  );
  return !failed;
}

const changed = (change: (step: Step) => Step): Procedure => ({ ...holds, steps: holds.steps.map(change) });
/** With a step asked before the one that precedes it. (The last two commute: not both can be refuted.) */
const advanced = (index: number): Procedure => ({
  ...holds,
  steps: holds.steps.toSpliced(index - 1, 2, ...holds.steps.slice(index - 1, index + 1).reverse()),
});
const without = (index: number): Procedure => ({ ...holds, steps: holds.steps.toSpliced(index, 1) });

test('the procedure is right', (t) => {
  t.true(isRight(holds));
});

const MUTANTS: Readonly<Record<string, Procedure>> = {
  'takes the rules for premises of their own check': changed((step) =>
    step.ifNot === 'satisfied' ? { ...step, premises: ['facts', 'rules', 'denial'] } : step,
  ),
  'forgets the facts when it looks for a violation': changed((step) =>
    step.ifNot === 'violated' ? { ...step, premises: ['rules'] } : step,
  ),
  'forgets the facts when it looks for an exception': changed((step) =>
    step.ifNot === 'satisfied' ? { ...step, premises: ['denial'] } : step,
  ),
  'swaps violated and satisfied': changed((step) =>
    step.ifNot === 'violated'
      ? { ...step, ifNot: 'satisfied' }
      : step.ifNot === 'satisfied'
        ? { ...step, ifNot: 'violated' }
        : step,
  ),
  'looks for a violation before it looks at the facts': advanced(2),
  'looks at the facts before the rules': advanced(1),
  'does not ask whether the rules are vacuous': without(0),
  'does not ask whether the facts can be': without(1),
  'does not ask for a violation': without(2),
  'does not ask for an exception': without(3),
  'takes what is open for satisfied': { ...holds, otherwise: 'satisfied' },
};
for (const [fault, procedure] of Object.entries(MUTANTS)) {
  test(`a procedure that ${fault} is found out`, (t) => {
    t.false(isRight(procedure));
  });
}
