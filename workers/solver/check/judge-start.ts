import { CLOCK_TOLERANCE, formatInstant, parseInstant } from '../../exact/instants.ts';
import { decide } from '../decide/decide.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { literal, variable } from '../language/terms.ts';
import { lookOut } from '../outlook/judge-outlook.ts';
import { alignmentProblem } from '../run/alignment.ts';
import type { Preflight } from '../run/checked.ts';
import { judge } from '../run/judge.ts';
import type { PlannedRun, Start } from '../run/session.ts';
import { usesTimes } from '../run/times.ts';
import { withoutKnown } from '../run/to-problem.ts';

type Started = Pick<Preflight, 'alignment' | 'constraints' | 'passesFrom'>;

/**
 * Judges whether the next action can be done, which is the last of the run. If a rule depends on times, the action starts
 * now. If it must not, but may start later, the judgements are those of the later start, with the time from which it passes.
 */
export function judgeStart(run: PlannedRun, now: string | undefined, by: BoundedSolver): Started {
  if (now === undefined || !usesTimes(run.plan)) return ask(run, by).started;
  // An action that reports a time ahead of this clock is not followed by an earlier one. Beyond the tolerance, it is not recorded.
  const last = run.actions.findLast(({ record }) => record !== undefined)?.record?.started_at ?? now;
  const isAhead = last > now && parseInstant(last, '/start') - parseInstant(now, '/start') <= CLOCK_TOLERANCE;
  const at = isAhead ? last : now;
  const { started: atOnce } = ask(startingAt(run, { at, orLater: false }), by);
  if (passes(atOnce)) return atOnce;
  const late = startingAt(run, { at, orLater: true });
  const { started: later, problem } = ask(late, by);
  if (!passes(later)) return isViolated(atOnce) ? later : atOnce;
  const tooEarly = [
    ...(atOnce.alignment.verdict === 'satisfied' ? [] : [withoutKnown(beginningOf(late))]),
    ...(atOnce.constraints.verdict === 'satisfied' || problem === undefined ? [] : [problem]),
  ];
  return { ...later, passesFrom: firstMoment(late, at, tooEarly, by) };
}

const startingAt = (run: PlannedRun, start: Start): PlannedRun => {
  return { ...run, circumstances: { ...run.circumstances, start } };
};

interface Asked {
  readonly started: Started;
  /** That of the completed run that obeys the rules. */
  readonly problem: Problem | undefined;
}

function ask(run: PlannedRun, by: BoundedSolver): Asked {
  const alignment = judge('possible', () => beginningOf(run), by);
  const { judgement: constraints, problem } = lookOut(run, by);
  return { started: { alignment, constraints }, problem };
}

const beginningOf = (run: PlannedRun): Problem => alignmentProblem(run, { question: 'possible', isComplete: false });

const isViolated = ({ alignment, constraints }: Started): boolean =>
  [alignment, constraints].some(({ verdict }) => verdict === 'violated');

const passes = ({ alignment, constraints }: Started): boolean =>
  [alignment, constraints].every(({ verdict }) => verdict === 'satisfied');

/** The first whole millisecond at which the last action can start, or null if the plan expires before it. */
function firstMoment(
  { plan, actions }: PlannedRun,
  from: string,
  problems: readonly Problem[],
  by: BoundedSolver,
): string | null {
  const start = `/actions/${actions.length - 1}/started_at`;
  const toMicroseconds = (millisecond: bigint) => millisecond * 1000n;
  const passesUntil = (millisecond: bigint): boolean => {
    const term = { op: '<=', left: variable(start), right: literal(toMicroseconds(millisecond)) } as const;
    const until: Formula = { id: `${start}/until`, term };
    return problems.every((one) => decide({ ...one, facts: [...one.facts, until] }, by).verdict === 'satisfied');
  };
  let tooEarly = parseInstant(from, '/start') / 1000n;
  let late = parseInstant(plan.expiresAt, '/expires_at') / 1000n;
  if (late <= tooEarly || !passesUntil(late)) return null;
  while (late - tooEarly > 1n) {
    const middle = (tooEarly + late) / 2n;
    if (passesUntil(middle)) late = middle;
    else tooEarly = middle;
  }
  return formatInstant(toMicroseconds(late));
}
