import type { WorkerAnswer } from '../../../../services/platform/pools/pool.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { holdAll } from '../../../../workers/verdict/decide/ground-values.ts';
import type { Problem } from '../../../../workers/verdict/decide/problem.ts';
import { constraintsProblem } from '../../../../workers/verdict/run/constraints.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { smallRun } from '../measure/solver-runs.ts';

/**
 * Runs ground checks with the evaluator alone, one after another, for `durationMs`.
 * @returns the checks per second
 */
export default function evaluateFor(durationMs: number): WorkerAnswer<number> {
  const { facts, rules, values } = groundProblem();
  const startMs = performance.now();
  let checks = 0;
  while (performance.now() - startMs < durationMs) {
    if (holdAll(facts, values) !== true || holdAll(rules, values) !== true)
      throw new Error('the evaluator refused a run that obeys its rules');
    checks += 1;
  }
  return { ok: true, value: (checks * 1000) / (performance.now() - startMs) };
}

function groundProblem(): Problem {
  const { plan, actions } = smallRun();
  const read = readPlan(JSON.parse(plan));
  return constraintsProblem({ plan: read, actions: readActions(JSON.parse(actions), read) }, 'holds');
}
