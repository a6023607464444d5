import { defined } from '../../exact/defined.ts';
import { CLOCK_TOLERANCE, formatInstant, parseInstant } from '../../exact/instants.ts';
import { usesTimes } from '../../plan/expressions.ts';
import { literal, variable } from '../../plan/language/terms.ts';
import { decide } from '../decide/decide.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { alignmentProblem } from '../run/alignment.ts';
import type { Preflight } from '../run/checked.ts';
import { withReportedTimes } from '../run/circumstances.ts';
import { judge } from '../run/judge.ts';
import type { PlannedRun } from '../run/session.ts';
import type { Start } from '../run/times.ts';
import { withoutKnown } from '../run/to-problem.ts';
import { lookOut } from '../search/judge-outlook.ts';

/** In microseconds. */
const MILLISECOND = 1000n;
/** Completions that are asked for the first moment, each for one before the last. */
const MAX_LATER = 4;

type Started = Pick<Preflight, 'alignment' | 'constraints' | 'passesFrom'>;

/**
 * Judges whether the next action can be done, which is the last of the run. If a rule depends on times, the action starts
 * now. If it must not, but may start later, the judgements are those of the later start, with the time from which it passes.
 */
export function judgeStart(run: PlannedRun, now: string | undefined, by: BoundedSolver): Started {
  const begin = (asked: PlannedRun) => beginningOf(asked, now);
  if (now === undefined || !usesTimes(run.plan)) return ask(run, begin, by).started;
  // An action that reports a time ahead of this clock is not followed by an earlier one. Nothing passes after one that reports a
  // time beyond the tolerance.
  const last = run.actions.findLast(({ record }) => record !== undefined)?.record?.started_at ?? now;
  const at = last > now ? last : now;
  const { started: atOnce } = ask(startingAt(run, { at }), begin, by);
  if (passes(atOnce)) return atOnce;
  let earliest: Started | undefined;
  const expires = parseInstant(run.plan.expiresAt, '/expires_at');
  let until = expires + CLOCK_TOLERANCE;
  // Other actions that follow may let it start earlier.
  for (let asked = 0; asked < MAX_LATER; asked += 1) {
    const late = startingAt(run, { at, until: formatInstant(until) });
    const { started: later, problem } = ask(late, begin, by);
    if (!passes(later)) return earliest ?? (isViolated(atOnce) ? later : atOnce);
    const tooEarly = [
      ...(atOnce.alignment.verdict === 'satisfied' ? [] : [withoutKnown(begin(late))]),
      ...(atOnce.constraints.verdict === 'satisfied' || problem === undefined ? [] : [problem]),
    ];
    const first = firstMoment(late, until, tooEarly, by);
    // After the expiry, only the tolerance of clocks is left.
    if (first === null || first > expires) earliest ??= { ...later, passesFrom: null };
    else earliest = { ...later, passesFrom: formatInstant(first) };
    if (first === null) return earliest;
    until = first - MILLISECOND;
  }
  return earliest ?? atOnce;
}

const startingAt = (run: PlannedRun, start: Start): PlannedRun => {
  return { ...run, circumstances: { ...run.circumstances, start } };
};

interface Asked {
  readonly started: Started;
  /** That of the completed run that obeys the rules. */
  readonly problem: Problem | undefined;
}

function ask(run: PlannedRun, begin: (run: PlannedRun) => Problem, by: BoundedSolver): Asked {
  const alignment = judge('possible', () => begin(run), by);
  const { judgement: constraints, problem } = lookOut(run, by);
  return { started: { alignment, constraints }, problem };
}

function beginningOf(run: PlannedRun, now: string | undefined): Problem {
  const approvals = (run.circumstances?.approvals ?? []).map(({ at }) => at).toSorted();
  const alignment = alignmentProblem(run, { question: 'possible', isComplete: false });
  return withReportedTimes(alignment, run, { approvedAt: approvals[run.plan.approvals - 1], receivedAt: now });
}

const isViolated = ({ alignment, constraints }: Started): boolean =>
  [alignment, constraints].some(({ verdict }) => verdict === 'violated');

const passes = ({ alignment, constraints }: Started): boolean =>
  [alignment, constraints].every(({ verdict }) => verdict === 'satisfied');

/** The first whole millisecond at which the last action can start, or null if it is later than `until`. */
function firstMoment(
  { actions, circumstances }: PlannedRun,
  until: bigint,
  problems: readonly Problem[],
  by: BoundedSolver,
): bigint | null {
  const start = `/actions/${actions.length - 1}/started_at`;
  const passesUntil = (millisecond: bigint): boolean => {
    const term = { op: '<=', left: variable(start), right: literal(millisecond * MILLISECOND) } as const;
    const fact: Formula = { id: `${start}/first`, term };
    return problems.every((one) => decide({ ...one, facts: [...one.facts, fact] }, by).verdict === 'satisfied');
  };
  let tooEarly = parseInstant(defined(circumstances?.start).at, '/start') / MILLISECOND;
  let late = until / MILLISECOND;
  if (!passesUntil(late)) return null;
  while (late - tooEarly > 1n) {
    const middle = (tooEarly + late) / 2n;
    if (passesUntil(middle)) late = middle;
    else tooEarly = middle;
  }
  return late * MILLISECOND;
}
