import type { ActionDocument } from '../../exact/action-schema.ts';
import { defined } from '../../exact/defined.ts';
import { parseInstant } from '../../exact/instants.ts';
import { usesTimes } from '../../plan/expressions.ts';
import { literal, type Term } from '../../plan/language/terms.ts';
import { TIME } from '../../plan/language/types.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Formula } from '../decide/problem.ts';
import type { EncodingSession, Timed } from '../elaborate/scope.ts';
import type { PlacedAction } from './placed-action.ts';

export interface Start {
  /** UTC with microseconds. */
  readonly at: string;
  /** It may start later, at most at this time. */
  readonly until?: string;
}

/** The times of the actions of a run, which are asked in their order. */
export type Times = (action: PlacedAction) => Pick<Timed, 'started' | 'ended'>;

/** The variable when an action ended. */
export const endKey = (path: string): string => `${path}/ended_at`;

const NONE = { started: literal(0n), ended: literal(0n) };

/**
 * Reported times are known, but for the end of an act whose outcome is unknown. The times of an action that is not done yet are
 * open, but the first such action starts at `start.at`, or from then until `start.until`.
 */
export function timesOf(plan: Plan, session: EncodingSession, start: Start | undefined): Times {
  const { open, times } = session;
  const endOf = endsIn(session);
  const reported = reportedTimes(session);
  if (!usesTimes(plan)) {
    return ({ path, record }) => (record?.outcome === 'unknown' ? { ...NONE, ended: endOf(record, path) } : NONE);
  }
  let first = start;
  const openTimes = (path: string): Timed => {
    const from = first && literal(parseInstant(first.at, '/start'));
    const until = first?.until === undefined ? undefined : literal(parseInstant(first.until, '/start'));
    const started = from !== undefined && first?.until === undefined ? from : open(`${path}/started_at`, TIME);
    first = undefined;
    return { path, from, until, started, ended: open(`${path}/ended_at`, TIME) };
  };
  return (action) => {
    const own = action.record === undefined ? openTimes(action.path) : reported(action);
    times.push(own);
    return own;
  };
}

const endsIn =
  ({ open }: EncodingSession) =>
  ({ outcome, ended_at }: ActionDocument, path: string): Term =>
    outcome === 'unknown' ? open(endKey(path), TIME) : literal(parseInstant(ended_at, endKey(path)));

/** The times of an action that was recorded. */
export function reportedTimes(session: EncodingSession): Times {
  const endOf = endsIn(session);
  return ({ path, record }) => {
    const { started_at } = defined(record);
    const own = {
      started: literal(parseInstant(started_at, `${path}/started_at`)),
      ended: endOf(defined(record), path),
    };
    if (own.ended.op === 'variable') {
      session.facts.push({ id: `${path}/ended_at/started`, term: { op: '<=', left: own.started, right: own.ended } });
    }
    return own;
  };
}

/**
 * The order of open times, as facts: no action ends before it starts, or starts before an earlier one or before the
 * approval, or after the plan has expired. A run that says so is refused. Ids: `/actions/1/started_at/order`, `/actions/1/ended_at/started`.
 * @param read the keys of the variables that some rule reads. Any other time can equal the one before it.
 */
export function orderOf({ run, times, expiresAt }: EncodingSession, read: ReadonlySet<string>): readonly Formula[] {
  const facts: Formula[] = [];
  const inOrder = (id: string, left: Term, right: Term) => facts.push({ id, term: { op: '<=', left, right } });
  const isUnread = (time: Term) => time.op === 'variable' && !read.has(time.key);
  let before = run.approvedAt;
  for (const { path, from, until, started, ended } of times) {
    if (from !== undefined || !isUnread(started)) {
      if (from !== undefined) inOrder(`${path}/started_at/from`, from, started);
      if (until !== undefined) inOrder(`${path}/started_at/until`, started, until);
      if (path !== undefined) inOrder(`${path}/started_at/order`, before, started);
      before = started;
    }
    if (path !== undefined && !isUnread(ended)) inOrder(`${path}/ended_at/started`, before, ended);
  }
  if (before.op === 'variable' && before !== run.approvedAt) inOrder('/expires_at', before, literal(expiresAt));
  return facts;
}
