import { parseInstant } from '../../exact/instants.ts';
import type { Session } from '../elaborate/situation.ts';
import type { Expression } from '../language/terms.ts';
import { literal, type Term } from '../language/terms.ts';
import { TIME } from '../language/types.ts';
import { walkExpressions } from '../language/walk.ts';
import type { Plan } from '../plan/plan.ts';
import { expressionsOf } from './expressions.ts';
import type { PlacedAction } from './placed-action.ts';
import type { Start } from './session.ts';

export interface OwnTimes {
  readonly started: Term;
  readonly ended: Term;
}

/** The times of the actions of a run, which are asked in their order. */
export type Times = (action: PlacedAction) => OwnTimes;

const NONE: OwnTimes = { started: literal(0n), ended: literal(0n) };

/**
 * Times that an action reports are known. Those of an action that is not done yet are open, but no action ends before it
 * begins, or begins before an earlier one or before the approval: a run that says so is refused. The first of them begins
 * at `start`, or later if that allows it.
 */
export function timesOf(plan: Plan, { run, open, facts }: Session, start: Start | undefined): Times {
  if (!usesTimes(plan)) return () => NONE;
  let before = run.approvedAt;
  let first = start;
  return ({ path, record }) => {
    if (record !== undefined) {
      const started = literal(parseInstant(record.started_at, `${path}/started_at`));
      before = started;
      return { started, ended: literal(parseInstant(record.ended_at, `${path}/ended_at`)) };
    }
    const from = first && literal(parseInstant(first.at, '/start'));
    const started = from !== undefined && first?.orLater === false ? from : open(`${path}/started_at`, TIME);
    const ended = open(`${path}/ended_at`, TIME);
    if (from !== undefined)
      facts.push({ id: `${path}/started_at/from`, term: { op: '<=', left: from, right: started } });
    first = undefined;
    facts.push({ id: `${path}/started_at/order`, term: { op: '<=', left: before, right: started } });
    facts.push({ id: `${path}/ended_at/started`, term: { op: '<=', left: started, right: ended } });
    before = started;
    return { started, ended };
  };
}

/** Whether a rule or an effect of the plan depends on times that actions report. */
export function usesTimes(plan: Plan): boolean {
  let found = false;
  walkExpressions(expressionsOf(plan), (node: Expression) => {
    if (node.op === 'own') found = true;
    if (node.op === 'part' && (node.part === 'started' || node.part === 'ended')) found = true;
  });
  return found;
}
