import { defined } from '../../exact/defined.ts';
import { formatInstant, parseInstant } from '../../exact/instants.ts';
import { usesTimes } from '../../plan/expressions.ts';
import type { Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { alignmentProblem } from '../run/alignment.ts';
import type { Preflight } from '../run/checked.ts';
import type { PlannedRun } from '../run/encoding-session.ts';
import { judge } from '../run/judge.ts';
import { withReportedTimes } from '../run/reported-times.ts';
import { startsOf } from '../run/schedules.ts';
import type { Start } from '../run/times.ts';
import { judgeCompletion } from '../search/complete-run.ts';

type Started = Pick<Preflight, 'alignment' | 'constraints' | 'passesFrom'>;

/**
 * Judges whether the next action can be done, which is the last of the run. If a rule depends on times, the action starts
 * now. If it must not, but may start before the plan expires, the first instant of the schedule is looked for until which it
 * may start. This stays true for later instants, so they are halved. If it passes there, the judgements are those of that start.
 */
export function judgeStart(run: PlannedRun, now: string | undefined, solver: BoundedSolver): Started {
  if (now === undefined || !usesTimes(run.plan)) return judgeWithin(run, now, solver);
  // An action that reports a time ahead of this clock is not followed by an earlier one. Nothing passes after one that reports a
  // time beyond the tolerance.
  const last = run.actions.findLast(({ record }) => record !== undefined)?.record?.started_at ?? now;
  const at = last > now ? last : now;
  const startingIn = (start: Start) => judgeWithin({ ...run, runContext: { ...run.runContext, start } }, now, solver);
  const atOnce = startingIn({ at });
  if (passes(atOnce)) return atOnce;
  const later = startingIn({ at, until: run.plan.expiresAt });
  if (!passes(later)) return isViolated(atOnce) ? later : atOnce;
  const starts = startsOf(run, parseInstant(at, '/start'));
  let [first, beyond] = [0, starts.length];
  while (first < beyond) {
    const middle = (first + beyond) >> 1;
    if (passes(startingIn({ at, until: formatInstant(defined(starts[middle])) }))) beyond = middle;
    else first = middle + 1;
  }
  const start = starts[first];
  if (start === undefined) return { ...later, passesFrom: null };
  const passesFrom = formatInstant(start);
  const then = startingIn({ at: passesFrom });
  return passes(then) ? { ...then, passesFrom } : { ...later, passesFrom: null };
}

/** Judges the last action of a run, which starts within `runContext.start`. */
export function judgeWithin(run: PlannedRun, now: string | undefined, solver: BoundedSolver): Started {
  return {
    alignment: judge('possible', () => beginningOf(run, now), solver),
    constraints: judgeCompletion(run, solver),
  };
}

function beginningOf(run: PlannedRun, now: string | undefined): Problem {
  const approvals = (run.runContext?.approvals ?? []).map(({ at }) => at).toSorted();
  const alignment = alignmentProblem(run, { question: 'possible', isComplete: false });
  return withReportedTimes(alignment, run, { approvedAt: approvals[run.plan.approvals - 1], receivedAt: now });
}

const isViolated = ({ alignment, constraints }: Started): boolean =>
  [alignment, constraints].some(({ verdict }) => verdict === 'violated');

export const passes = ({ alignment, constraints }: Pick<Started, 'alignment' | 'constraints'>): boolean =>
  [alignment, constraints].every(({ verdict }) => verdict === 'satisfied');
