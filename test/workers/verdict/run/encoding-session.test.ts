import test from 'ava';
import { literal, variable } from '../../../../workers/plan/language/terms.ts';
import { TIME } from '../../../../workers/plan/language/types.ts';
import { knownValue } from '../../../../workers/verdict/elaborate/kleene.ts';
import { createSession, type SessionOptions } from '../../../../workers/verdict/run/encoding-session.ts';
import { orderOf, timesOf } from '../../../../workers/verdict/run/times.ts';
import { paid, payPlan, undone } from '../../../models/pay-plan.ts';

const at = (second: number) => `2026-11-02T10:00:${`${second}`.padStart(2, '0')}.000000Z`;
const instant = (second: number) => BigInt(Date.parse(at(second))) * 1000n;
const plan = payPlan({ rules: ['pay.all(p, p.ended_at >= p.started_at)'] });
const two = { ...plan, approvals: 2 };

const approval = (second: number, group: string) => ({ at: at(second), group });
const APPROVALS = [approval(30, 'risk'), approval(10, 'finance'), approval(20, 'finance')];

const factsOf = (options: SessionOptions, over = two) => {
  const { run } = createSession(over, options);
  return [run.approvedAt, run.approvals, run.approvedBy('finance'), run.approvedBy('risk')].map(knownValue);
};

test('a plan is approved when enough have approved, in the order of their times', (t) => {
  t.deepEqual(factsOf({ runContext: { approvals: APPROVALS } }), [instant(20), 3n, true, true]);
  const one = { ...plan, approvals: 1 };
  t.deepEqual(factsOf({ runContext: { approvals: APPROVALS } }, one), [instant(10), 3n, true, true]);
});

test('approvals after the first action do not count, unless the plan needs them or clocks differ by a little', (t) => {
  const begun = (second: number) => factsOf({ runContext: { approvals: APPROVALS }, began: at(second) });
  t.deepEqual(begun(40), [instant(20), 3n, true, true]);
  t.deepEqual(begun(25), [instant(20), 3n, true, true]);
  t.deepEqual(begun(24), [instant(20), 2n, true, false]);
  t.deepEqual(begun(1), [instant(20), 2n, true, false]);
});

test('approvals at one time all count', (t) => {
  const approvals = [approval(10, 'risk'), approval(10, 'finance')];
  t.deepEqual(factsOf({ runContext: { approvals } }), [instant(10), 2n, true, true]);
});

test('of a plan that lacks an approval, nothing is known but how many it needs', (t) => {
  const session = createSession(two, { runContext: { approvals: APPROVALS.slice(0, 1) } });
  t.deepEqual(session.run.approvedAt, variable('/run/approved_at'));
  t.deepEqual(session.run.approvals, variable('/run/approvals'));
  t.deepEqual(session.run.approvedBy('risk'), variable('/run/approved_by/risk'));
  t.deepEqual(Object.fromEntries(session.variables), {
    '/run/approved_at': TIME,
    '/run/approvals': { type: 'int', min: 2n, max: 1000n },
    '/run/approved_by/risk': { type: 'bool' },
  });
});

test('an assigned value is known, and is no variable', (t) => {
  const session = createSession(two, { assigned: new Map([['/run/approvals', 4n]]) });
  t.deepEqual(session.run.approvals, literal(4n));
  t.deepEqual([...session.variables.keys()], ['/run/approved_at']);
  t.deepEqual(session.open('/x', TIME), variable('/x'));
});

test('an action may start until 5 seconds after the plan has expired', (t) => {
  t.is(createSession(plan).expiresAt, BigInt(Date.parse('2027-12-05T00:00:05Z')) * 1000n);
});

const open = (index: number) => undone(plan, index);
const recorded = (second: number) => ({ ...open(0), record: { ...paid({}, at(second)), ended_at: at(second + 1) } });

interface Asked {
  readonly start?: { readonly at: string; readonly until?: string };
  /** Whether the rules read every time, or none. */
  readonly isRead?: boolean;
  readonly approvals?: readonly ReturnType<typeof approval>[];
}

/** A recorded action and two that follow. */
function ordered({ start, isRead = true, approvals = APPROVALS }: Asked) {
  const session = createSession(plan, { runContext: { approvals } });
  const times = timesOf(plan, session, start);
  const own = [recorded(30), open(1), open(2)].map(times);
  const read = new Set(isRead ? session.variables.keys() : []);
  return { own, order: orderOf(session, read).map(({ id, term }) => [id, term] as const) };
}

const STARTED = [variable('/actions/1/started_at'), variable('/actions/2/started_at')] as const;
const ENDED = [variable('/actions/1/ended_at'), variable('/actions/2/ended_at')] as const;
const atMost = (left: unknown, right: unknown) => ({ op: '<=', left, right });
const EXPIRES = literal(createSession(plan).expiresAt);

test('times that are open are in order, and none is after the expiry', (t) => {
  const { own, order } = ordered({});
  t.deepEqual(own[0], { started: literal(instant(30)), ended: literal(instant(31)) });
  t.like(own[1], { started: STARTED[0], ended: ENDED[0], from: undefined, until: undefined });
  t.deepEqual(order, [
    ['/actions/1/started_at/order', atMost(literal(instant(30)), STARTED[0])],
    ['/actions/1/ended_at/started', atMost(STARTED[0], ENDED[0])],
    ['/actions/2/started_at/order', atMost(STARTED[0], STARTED[1])],
    ['/actions/2/ended_at/started', atMost(STARTED[1], ENDED[1])],
    ['/expires_at', atMost(STARTED[1], EXPIRES)],
  ]);
});

test('times that no rule reads need no order', (t) => {
  t.deepEqual(ordered({ isRead: false }).order, []);
});

test('the first action that is not done starts now, and the others later', (t) => {
  const now = literal(instant(40));
  const { own, order } = ordered({ start: { at: at(40) } });
  t.like(own[1], { started: now, ended: ENDED[0], from: now });
  t.like(own[2], { started: STARTED[1], from: undefined });
  t.deepEqual(order, [
    ['/actions/1/started_at/from', atMost(now, now)],
    ['/actions/1/started_at/order', atMost(literal(instant(30)), now)],
    ['/actions/1/ended_at/started', atMost(now, ENDED[0])],
    ['/actions/2/started_at/order', atMost(now, STARTED[1])],
    ['/actions/2/ended_at/started', atMost(STARTED[1], ENDED[1])],
    ['/expires_at', atMost(STARTED[1], EXPIRES)],
  ]);
});

test('an action that may start later starts between two times', (t) => {
  const [from, until] = [literal(instant(40)), literal(instant(50))];
  const { own, order } = ordered({ start: { at: at(40), until: at(50) }, isRead: false });
  t.like(own[1], { started: STARTED[0], from, until });
  t.deepEqual(order, [
    ['/actions/1/started_at/from', atMost(from, STARTED[0])],
    ['/actions/1/started_at/until', atMost(STARTED[0], until)],
    ['/actions/1/started_at/order', atMost(literal(instant(30)), STARTED[0])],
    ['/expires_at', atMost(STARTED[0], EXPIRES)],
  ]);
});

test('without any time in the rules, no action has one', (t) => {
  const plain = payPlan({ rules: ['count(pay) < 3'] });
  const session = createSession(plain);
  const zero = literal(0n);
  t.deepEqual(timesOf(plain, session, undefined)(open(0)), { started: zero, ended: zero });
  t.deepEqual([session.times, [...session.variables.keys()]], [[], ['/run/approved_at', '/run/approvals']]);
});

test('the approval itself may be at any time', (t) => {
  const session = createSession(plan);
  t.deepEqual(orderOf(session, new Set(['/run/approved_at'])), []);
  timesOf(plan, session, undefined)(open(1));
  t.deepEqual(
    orderOf(session, new Set(['/actions/1/started_at'])).map(({ id, term }) => [id, term]),
    [
      ['/actions/1/started_at/order', atMost(variable('/run/approved_at'), STARTED[0])],
      ['/expires_at', atMost(STARTED[0], EXPIRES)],
    ],
  );
});
