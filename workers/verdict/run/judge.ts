import { usesTimes } from '../../plan/expressions.ts';
import { isTooLarge } from '../../plan/language/expand.ts';
import { variablesIn } from '../../plan/language/walk.ts';
import { decide } from '../decide/decide.ts';
import type { Decision, Problem, Question } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { knownValue } from '../elaborate/kleene.ts';
import type { PlannedRun } from './encoding-session.ts';
import { type Judgement, toJudgement } from './judgement.ts';
import { placed } from './placed-action.ts';
import { type Schedule, schedulesOf } from './schedules.ts';

const MAX_NAMED = 3;

/**
 * Decides the problem that `build` makes, if it makes one. The judgement of a problem that is too large is `indeterminate`.
 * @param see gets the whole decision
 */
export function judge<Built extends Problem | undefined>(
  question: Question,
  build: () => Built,
  solver: BoundedSolver,
  see?: (decision: Decision) => void,
): Judgement | (undefined extends Built ? undefined : never);
export function judge(
  question: Question,
  build: () => Problem | undefined,
  solver: BoundedSolver,
  see?: (decision: Decision) => void,
): Judgement | undefined {
  return unlessTooLarge(question, () => {
    const problem = build();
    const decision = problem && decide(problem, solver);
    if (decision !== undefined) see?.(decision);
    return problem && decision && toJudgement(decision, problem.rules);
  });
}

/**
 * Judges whether a run whose times are open can obey rules. Most runs can at a simple schedule, which decides at once for
 * 1,000 actions. The solver looks for other times only if none of the schedules does, and may give up on some hundred.
 */
export function judgePossible(
  run: PlannedRun,
  build: (assigned?: Schedule) => Problem,
  solver: BoundedSolver,
): Judgement {
  if (!usesTimes(run.plan)) return judge('possible', build, solver);
  return unlessTooLarge('possible', () => decideTimes(run, build, solver));
}

function decideTimes(run: PlannedRun, build: (assigned?: Schedule) => Problem, solver: BoundedSolver): Judgement {
  let open: Problem | undefined;
  for (const schedule of schedulesOf(run, placed(run.actions))) {
    const problem = build(schedule);
    if (brokenIn(problem).size === 0) {
      const decision = decide(problem, solver);
      if (decision.verdict === 'satisfied' || decision.verdict === 'engine_error') return toJudgement(decision);
    } else if (open === undefined) {
      open = build();
      // Rules that are broken at any time are broken at these times, at which every fact can be computed.
      const broken = brokenIn(open);
      const rules = problem.rules.filter(({ id }) => broken.has(id));
      const decision = decide({ ...problem, rules }, solver);
      if (decision.verdict === 'violated') return toJudgement(decision, rules);
    }
  }
  open ??= build();
  const decision = decide(open, solver);
  return decision.verdict === 'indeterminate' ? tooHard(open, decision) : toJudgement(decision, open.rules);
}

const brokenIn = ({ rules }: Problem): ReadonlySet<string> =>
  new Set(rules.filter(({ term }) => knownValue(term) === false).map(({ id }) => id));

/** Names the rules that depend on times. */
function tooHard({ rules }: Problem, decision: Decision): Judgement {
  const ids = [...new Set(rules.filter(({ term }) => variablesIn([term]).size > 0).map(({ id }) => id))];
  const named = ids.slice(0, MAX_NAMED).join(', ') || 'the order of the times';
  return giveUp(toJudgement(decision), ids[0] ?? '', `no times were found that obey ${named}, and none were ruled out`);
}

const giveUp = (judgement: Judgement, path: string, why: string): Judgement => ({
  ...judgement,
  reasons: [
    {
      code: 'SOLVER_GAVE_UP',
      path,
      message: `${why}: propose fewer actions together, or check each before it is done`,
    },
  ],
});

function unlessTooLarge<Judged>(question: Question, judged: () => Judged): Judged | Judgement {
  try {
    return judged();
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const judgement = toJudgement({ verdict: 'indeterminate', reason: error.message, question, checks: [] });
    return giveUp(judgement, error.path, `${error.path} ${error.message}`.trim());
  }
}
