import type { Formula } from '../decide/problem.ts';
import type { Session, Timed } from '../elaborate/situation.ts';
import { parseInstant } from '../language/instants.ts';
import type { Expression } from '../language/terms.ts';
import { literal, type Term } from '../language/terms.ts';
import { TIME } from '../language/types.ts';
import { walkExpressions } from '../language/walk.ts';
import type { Plan } from '../plan/plan.ts';
import { expressionsOf } from './expressions.ts';
import type { PlacedAction } from './placed-action.ts';

/** The times of the actions of a run, which are asked in their order. */
export type Times = (action: PlacedAction) => Omit<Timed, 'path'>;

const NONE = { started: literal(0n), ended: literal(0n) };

/** Times that an action reports are known. Those of an action that is not done yet are open. */
export function timesOf(plan: Plan, { open, times }: Session): Times {
  if (!usesTimes(plan)) return () => NONE;
  return ({ path, record }) => {
    const own =
      record === undefined
        ? { path, started: open(`${path}/started_at`, TIME), ended: open(`${path}/ended_at`, TIME) }
        : {
            path: undefined,
            started: literal(parseInstant(record.started_at, `${path}/started_at`)),
            ended: literal(parseInstant(record.ended_at, `${path}/ended_at`)),
          };
    times.push(own);
    return own;
  };
}

/**
 * The order of open times, as facts: no action ends before it starts, or starts before an earlier one or before the
 * approval. A run that says so is refused. Ids: `/actions/1/started_at/order`, `/actions/1/ended_at/started`.
 * @param read the keys of the variables that some rule reads. Any other time can equal the one before it.
 */
export function orderOf({ run, times }: Session, read: ReadonlySet<string>): readonly Formula[] {
  const facts: Formula[] = [];
  const isUnread = (time: Term) => time.op === 'variable' && !read.has(time.key);
  let before = run.approvedAt;
  for (const { path, started, ended } of times) {
    if (!isUnread(started)) {
      if (path !== undefined) {
        facts.push({ id: `${path}/started_at/order`, term: { op: '<=', left: before, right: started } });
      }
      before = started;
    }
    if (path !== undefined && !isUnread(ended)) {
      facts.push({ id: `${path}/ended_at/started`, term: { op: '<=', left: before, right: ended } });
    }
  }
  return facts;
}

/** Whether a rule or an effect of the plan depends on times that actions report. */
export const usesTimes = (plan: Plan): boolean => expressionsOf(plan).some(readsTimes);

/** Whether an expression depends on times that actions report. */
export function readsTimes(expression: Expression): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    if (node.op === 'own') found = true;
    if (node.op === 'part' && (node.part === 'started' || node.part === 'ended')) found = true;
  });
  return found;
}
