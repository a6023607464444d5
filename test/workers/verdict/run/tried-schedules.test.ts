import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import type { RunContext } from '../../../../workers/verdict/run/encoding-session.ts';
import type { PlacedAction } from '../../../../workers/verdict/run/placed-action.ts';
import { schedulesOf } from '../../../../workers/verdict/run/schedules.ts';
import { paid, payPlan, undone } from '../../../models/pay-plan.ts';

const HOUR = 3_600_000_000n;
const instant = (text: string) => BigInt(Date.parse(text)) * 1000n;
const at = (minute: number) => `2026-11-02T10:${`${minute}`.padStart(2, '0')}:00.000000Z`;
const APPROVED = { approvals: [{ at: at(0), group: 'g' }] };

/** How long after `from` the actions start, in microseconds, in each schedule. */
function startsOf(plan: Plan, actions: readonly PlacedAction[], runContext: RunContext = APPROVED) {
  return [...schedulesOf({ plan, runContext }, actions)].map((schedule) =>
    actions.flatMap(({ path, record }) => {
      if (record !== undefined) return [];
      const started = schedule.get(`${path}/started_at`);
      if (started !== schedule.get(`${path}/ended_at`)) throw new Error(`${path} takes time`);
      return [BigInt(started ?? 0) - instant(at(0))];
    }),
  );
}

test('all actions happen at once after the approval, or after the end of the last one that is done', (t) => {
  const plan = payPlan({ rules: ['pay.all(p, p.started_at > approved_at)'] });
  const two = [undone(plan, 0), undone(plan, 1)];
  t.deepEqual(startsOf(plan, two), [[0n, 0n]]);
  const record = { ...paid({}, at(1)), ended_at: at(2) };
  t.deepEqual(startsOf(plan, [{ ...undone(plan, 0), record }, undone(plan, 1)]), [[120_000_000n]]);
  const [schedule] = schedulesOf({ plan, runContext: APPROVED }, two);
  t.is(schedule?.get('/run/approved_at'), instant(at(0)));
});

test('a plan that is not approved is approved a day before it expires', (t) => {
  const plan = payPlan({ rules: ['pay.all(p, p.started_at > approved_at)'] });
  const [schedule] = schedulesOf({ plan }, [undone(plan, 0)]);
  t.deepEqual(
    [schedule?.get('/run/approved_at'), schedule?.get('/actions/0/started_at')],
    [instant('2027-12-04T00:00:00Z'), instant('2027-12-04T00:00:00Z')],
  );
});

test('no action starts before the first one may', (t) => {
  const plan = payPlan({ rules: ['pay.all(p, p.started_at > approved_at)'] });
  const from = (minute: number) => startsOf(plan, [undone(plan, 0)], { ...APPROVED, start: { at: at(minute) } });
  t.deepEqual(from(5), [[300_000_000n]]);
  t.deepEqual(from(0), [[0n]]);
  const record = paid({}, at(7));
  const run = [{ ...undone(plan, 0), record }, undone(plan, 1)];
  t.deepEqual(startsOf(plan, run, { ...APPROVED, start: { at: at(5) } }), [[420_000_000n]]);
});

test('actions wait for an instant that a rule about times names, between now and the expiry', (t) => {
  const hours = ['09:59:59', '11:00:00', '12:00:00'].map((time) => `timestamp("2026-11-02T${time}Z")`);
  const rules = hours.map((time) => `pay.exists(p, p.started_at > ${time})`);
  const plan = payPlan({ expires: '2026-11-02T12:00:00Z', rules });
  t.deepEqual(startsOf(plan, [undone(plan, 0)]), [[0n], [HOUR], [2n * HOUR]]);
  const shorter = payPlan({ expires: '2026-11-02T11:59:59Z', rules });
  t.deepEqual(startsOf(shorter, [undone(shorter, 0)]), [[0n], [HOUR]]);
});

test('at most three instants are tried, the earliest ones', (t) => {
  const rules = [15, 12, 13, 14].map((hour) => `pay.exists(p, p.started_at > timestamp("2026-11-02T${hour}:00:00Z"))`);
  const plan = payPlan({ rules });
  t.deepEqual(startsOf(plan, [undone(plan, 0)]), [[0n], [2n * HOUR], [3n * HOUR], [4n * HOUR]]);
});

test('distances that rules name take no place of instants', (t) => {
  const after = [
    'timestamp("2026-11-02T11:00:00Z")',
    ...['1h', '2h', '3h'].map((one) => `approved_at + duration("${one}")`),
  ];
  const plan = payPlan({ rules: after.map((time) => `pay.exists(p, p.started_at > ${time})`) });
  t.true(startsOf(plan, [undone(plan, 0)]).some(([start]) => start === HOUR));
});

test('an instant that a constant has is tried, and a number or a rule without times names none', (t) => {
  const plan = payPlan({
    given: 'end: 2026-11-02T11:00:00Z, many: 1800000000000000',
    rules: ['pay.all(p, p.started_at < end)', 'count(pay) < 1790000000000000'],
  });
  t.deepEqual(startsOf(plan, [undone(plan, 0)]), [[0n], [HOUR]]);
});

/** The schedules in which actions keep a distance of an hour. */
function apart(actions: readonly (Readonly<Record<string, Value>> | undefined)[], expires = '2027-12-05T00:00:00Z') {
  const plan = payPlan({
    expires,
    rules: ['pay.all(a, pay.all(b, b.started_at - a.ended_at > duration("1h") || a.n == b.n))'],
  });
  const starts = startsOf(
    plan,
    actions.map((args, index) => undone(plan, index, args)),
  );
  return starts.slice(1);
}
const NEXT = HOUR + 1n;

test('actions keep a distance that a rule names from the one before, or from the last with the same value of an argument', (t) => {
  const run = [
    { flag: true, free: 0n, invoice: 'A' },
    { flag: true, free: 1n, invoice: 'A' },
    { flag: false, free: 0n, invoice: 'A' },
    { flag: false, free: 1n, invoice: 'A' },
  ];
  t.deepEqual(apart(run), [
    [0n, NEXT, 2n * NEXT, 3n * NEXT],
    [0n, NEXT, NEXT, 2n * NEXT],
    [0n, 0n, NEXT, NEXT],
    [0n, NEXT, 2n * NEXT, 3n * NEXT],
  ]);
});

test('a schedule whose last action starts after the expiry is not tried', (t) => {
  const run = [
    { flag: true, free: 0n, invoice: 'A' },
    { flag: false, free: 1n, invoice: 'A' },
  ];
  t.deepEqual(apart(run, '2026-11-02T11:00:00Z'), [
    [0n, 0n],
    [0n, 0n],
  ]);
});

test('a schedule whose last action starts at the expiry is tried', (t) => {
  const rules = ['pay.all(a, pay.all(b, b.started_at - a.ended_at > duration("1h") || a.n == b.n))'];
  const plan = payPlan({ expires: '2026-11-02T11:00:00Z', rules });
  const two = [undone(plan, 0), undone(plan, 1)];
  const spreads = (approved: string) => {
    const runContext = { approvals: [{ at: `2026-11-02T${approved}Z`, group: 'g' }] };
    return [...schedulesOf({ plan, runContext }, two)].length;
  };
  t.deepEqual([spreads('09:59:59.999999'), spreads('10:00:00.000000')], [5, 1]);
});

test('a distance is between a second and 366 days', (t) => {
  const distancesOf = (...texts: readonly string[]) => {
    const rules = texts.map((text) => `pay.all(p, p.started_at - approved_at > duration("${text}"))`);
    const plan = payPlan({ expires: '2099-12-05T00:00:00Z', rules });
    const two = [undone(plan, 0), undone(plan, 1)];
    return [...new Set(startsOf(plan, two).flatMap(([, second]) => second ?? []))];
  };
  t.deepEqual(distancesOf('1s'), [0n, 1_000_001n]);
  t.deepEqual(distancesOf('8784h'), [0n, 8784n * HOUR + 1n]);
  t.deepEqual(distancesOf('4h', '2h', '1h', '3h'), [0n, NEXT, 2n * HOUR + 1n, 3n * HOUR + 1n]);
});
