import test from 'ava';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { asTruth, knownOutcome, termOf } from '../../../../workers/verdict/elaborate/kleene.ts';
import { placed } from '../../../../workers/verdict/run/placed-action.ts';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { paid, payPlan, ruleOf } from '../../../models/pay-plan.ts';

const at = (minute: number) => `2026-11-02T10:${`${minute}`.padStart(2, '0')}:00.000000Z`;
const done = (from: number, to: number) => ({ ...paid({}, at(from)), ended_at: at(to) });
const { response: _, started_at: __, ended_at: ___, ...INTENT } = paid();

function read(plan: Plan, recorded: readonly object[], intended: readonly object[] = []) {
  const actions = [...readActions(recorded, plan), ...readIntents(intended, plan, recorded.length)];
  return traceRun(plan, placed(actions)).end;
}

test('if a rule reads when an action ends, one that is not done is over when the other one starts', (t) => {
  const plan = payPlan({
    rules: ['pay.exists(p, pay.exists(q, before(q, p)))', 'pay.all(p, p.ended_at - p.started_at >= duration("1m"))'],
  });
  const end = read(plan, [], [INTENT, INTENT]);
  const { isTrue } = asTruth(elaborate(ruleOf(plan, 0), end));
  const holds = (ended: bigint, started: bigint) => {
    const values = new Map([
      ['/actions/0/ended_at', ended],
      ['/actions/1/started_at', started],
    ]);
    return evaluate(isTrue, values);
  };
  t.deepEqual([holds(5n, 5n), holds(4n, 5n), holds(6n, 5n)], [true, true, false]);
  t.is(knownOutcome(elaborate(ruleOf(plan, 0), read(plan, [done(0, 5)], [INTENT]))), true);
});

test('times of actions that are done are known, and others have variables', (t) => {
  const plan = payPlan({ rules: ['greatest(pay, p, p.ended_at) > timestamp("2026-11-02T10:05:00Z")'] });
  t.is(knownOutcome(elaborate(ruleOf(plan), read(plan, [done(0, 6), done(1, 2)]))), true);
  t.is(knownOutcome(elaborate(ruleOf(plan), read(plan, [done(0, 5)]))), false);
  const open = read(plan, [done(0, 1)], [INTENT]);
  t.is(knownOutcome(elaborate(ruleOf(plan), open)), undefined);
  const [minute, limit] = [60_000_000n, BigInt(Date.parse(at(5))) * 1000n];
  const term = termOf(elaborate(ruleOf(plan), open));
  const ends = (time: bigint) => evaluate(term, new Map([['/actions/1/ended_at', time]]));
  t.deepEqual([ends(limit), ends(limit + 1n), ends(limit - minute)], [false, true, false]);
});
