import { literal, type Term } from '../../plan/language/terms.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { all } from '../elaborate/kleene.ts';
import type { Scope, Timed } from '../elaborate/scope.ts';
import { isDone } from './action.ts';
import { append } from './append.ts';
import type { PlacedAction } from './placed-action.ts';
import { type Access, accessOf, conflictOf, mayOverlap } from './shared-state.ts';

interface Placed extends Access {
  readonly ended: Term;
}

/**
 * Adds facts about actions that are not done yet: each starts when those have ended that the plan orders before it. Asked for
 * each action, in the order of the list. Ids: `/actions/1/after/hold`, `/actions/1/overlap/balance`.
 */
export function createOpenOrder(plan: Plan) {
  const done = new Map<string, number>();
  const open = new Map<string, Term[]>();
  /** How many ends of a step the last action of another one waits for. A later one starts later. */
  const awaited = new Map<string, number>();
  const touches: Placed[] = [];

  /** That enough of the ends are over. */
  function isAfter(ends: readonly Term[], needed: number, started: Term): Term {
    const over = ends.map((ended): Term => ({ op: '<=', left: ended, right: started }));
    if (needed >= over.length) return all(over);
    const one = (condition: Term): Term => ({ op: 'ite', condition, whenTrue: literal(1n), whenFalse: literal(0n) });
    return { op: '<=', left: literal(BigInt(needed)), right: { op: '+', args: over.map(one) } };
  }

  function* waits(step: Step, started: Term): Generator<readonly [string, Term]> {
    for (const { stepId, atLeast } of step.after) {
      const ends = open.get(stepId) ?? [];
      const id = `${step.stepId} ${stepId}`;
      const from = awaited.get(id) ?? 0;
      const needed = atLeast === 0 ? ends.length : atLeast - (done.get(stepId) ?? 0);
      if (needed <= from || ends.length === 0) continue;
      awaited.set(id, needed);
      const waited = atLeast === 0 ? ends.slice(from) : ends;
      yield [`after/${stepId}`, isAfter(waited, needed, started)];
    }
  }

  function* conflicts(touch: Placed, started: Term): Generator<readonly [string, Term]> {
    const kept: Placed[] = [];
    for (const earlier of touches.toReversed()) {
      const shared = mayOverlap(earlier.step, touch.step) ? undefined : conflictOf(earlier, touch);
      // It has ended before one that this action waits for.
      const isCovered = kept.some((each) => !mayOverlap(earlier.step, each.step) && conflictOf(earlier, each));
      if (shared === undefined || isCovered) continue;
      kept.push(earlier);
      yield [`overlap/${shared}`, { op: '<=', left: earlier.ended, right: started }];
    }
    touches.push(touch);
  }

  return ({ path, step, record }: PlacedAction, { started, ended }: Timed, before: Scope): void => {
    if (record !== undefined) {
      if (isDone({ record })) done.set(step.stepId, (done.get(step.stepId) ?? 0) + 1);
      return;
    }
    const touch = { ...accessOf(plan, step, before), ended };
    for (const [id, term] of [...waits(step, started), ...conflicts(touch, started)]) {
      before.session.spend(1);
      before.session.facts.push({ id: `${path}/${id}`, term });
    }
    append(open, step.stepId, ended);
  };
}
