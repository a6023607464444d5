import test from 'ava';
import fc from 'fast-check';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { PROCEDURES, type Procedure, type Step } from '../../../../workers/verdict/decide/procedure.ts';
import { createBruteForceSolver } from '../../../models/brute-force-solver.ts';
import { cases, problemOf, worldsOf } from '../../../models/cases.ts';
import { verdictOver } from '../../../models/meaning.ts';

const { holds } = PROCEDURES;
const solver = createBruteForceSolver();

/** Whether a procedure gives every case the verdict of the definition. */
function isRight(procedure: Procedure): boolean {
  const { failed } = fc.check(
    fc.property(cases('holds'), (one) => {
      const { worlds, isFact, isRule } = worldsOf(one);
      const { verdict } = decide(problemOf(one), {
        solver,
        rlimit: 1,
        procedures: { ...PROCEDURES, holds: procedure },
      });
      return verdict === verdictOver('holds', worlds, isFact, isRule);
    }),
    { numRuns: 300, seed: 1, endOnFailure: true },
  );
  return !failed;
}

const changed = (change: (step: Step) => Step): Procedure => ({ ...holds, steps: holds.steps.map(change) });
const without = (index: number): Procedure => ({ ...holds, steps: holds.steps.toSpliced(index, 1) });
const EXCHANGED = { violated: 'satisfied', satisfied: 'violated', invalid_input: 'invalid_input' } as const;

test('the procedure is right', (t) => {
  t.true(isRight(holds));
});

const MUTANTS: Readonly<Record<string, Procedure>> = {
  'takes the rules for premises of their own check': changed((step) =>
    step.verdict === 'satisfied' ? { ...step, premises: ['facts', 'rules', 'denial'] } : step,
  ),
  'forgets the facts when it looks for a violation': changed((step) =>
    step.verdict === 'violated' ? { ...step, premises: ['rules'] } : step,
  ),
  'forgets the facts when it looks for an exception': changed((step) =>
    step.verdict === 'satisfied' ? { ...step, premises: ['denial'] } : step,
  ),
  'swaps violated and satisfied': changed((step) => ({ ...step, verdict: EXCHANGED[step.verdict] })),
  'does not ask whether the facts can be': changed(({ premises, verdict }) => ({ premises, verdict })),
  'does not ask for a violation': without(0),
  'does not ask for an exception': without(1),
  'takes what is open for satisfied': { ...holds, otherwise: 'satisfied' },
};
for (const [fault, procedure] of Object.entries(MUTANTS)) {
  test(`a procedure that ${fault} is detected`, (t) => {
    t.false(isRight(procedure));
  });
}
