import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { until } from '../../../kit/until.ts';
import { daily, transfer } from '../catalogue/tools.ts';
import { createPlanSteps } from '../plans/plan-steps.ts';
import { refused, refuted } from '../steps.ts';
import { useVerificationProcess } from '../verification-process.ts';
import { act, createLimited, planOf } from './limited.ts';

const verification = await useVerificationProcess();
const { catalogue, prepare: prepareAny } = createLimited(verification);
test.after.always(() => verification.stop());

const TEN = transfer({ limits: [daily({ most: '10.00' })] });
const RESERVE = { reserve: 600 };
const prepare = (changes: object = {}) => prepareAny(TEN, { ...RESERVE, ...changes });

const five = () => Array.from({ length: 5 }, () => act('1.00'));

type Prepared = Awaited<ReturnType<typeof prepare>>;

const reserveAll = ({ steps, plan }: Prepared, acts: readonly ReturnType<typeof act>[]) =>
  Promise.all(acts.map((each) => steps.reserve(plan, each)));

/** What preflight shows of the limit, and whether it allows the act. */
async function shown({ steps, plan }: Prepared, next = act('0.01')) {
  const { decision, limits } = await steps.preflight(plan, [], next);
  return [decision, ...limits.map(({ used, reserved, left }) => `${used} ${reserved} ${left}`)];
}

/** Steps of another agent key of the tenant. */
const another = async ({ callers }: Prepared) =>
  createPlanSteps(verification.service, await verification.addAgent(callers.tenantId));

/** Changes reservations of a tenant behind the service. */
const change = ({ callers }: Prepared, set: ReturnType<typeof sql>) =>
  verification.withDatabase('superuser', (database) =>
    sql`UPDATE verification.reservation SET ${set} WHERE tenant_id = ${callers.tenantId}`.execute(database),
  );
const expire = (prepared: Prepared) => change(prepared, sql`expires_at = clock_timestamp()`);

test('of three runs at once, the third is refused before it acts, and what the others do counts once', async (t) => {
  const prepared = await prepare();
  const { steps, plan, record } = prepared;
  const [first, second, third] = [five(), five(), five()];
  await reserveAll(prepared, first);
  const made = await reserveAll(prepared, second);
  t.is(made.length, 5);
  await refused(
    t,
    steps.reserve(plan, act('1.00')),
    'LIMIT_EXCEEDED',
    /0\.00 is left .* 10\.00 is reserved, and 1\.00/,
  );
  t.deepEqual(await shown(prepared), ['refuse', '0.00 10.00 0.00']);
  t.deepEqual(await shown(prepared, first[0]), ['allow', '0.00 9.00 1.00']);
  t.is((await record(first)).state, 'recorded');
  t.deepEqual(await shown(prepared), ['refuse', '5.00 5.00 0.00']);
  t.is((await record(second)).state, 'recorded');
  t.deepEqual(await shown(prepared), ['refuse', '10.00 0.00 0.00']);
  await refuted(t, record(third), 'LIMIT_EXCEEDED');
});

test('what is released or expired gives its room back', async (t) => {
  const prepared = await prepare();
  const { steps, plan, callers } = prepared;
  const [one] = await reserveAll(prepared, [act('4.00'), act('6.00')]);
  await refused(t, steps.reserve(plan, act('4.00')), 'LIMIT_EXCEEDED');
  t.deepEqual(
    (await catalogue.list(callers.agent))
      .filter(({ name }) => name === TEN.name)
      .flatMap(({ limits }) => limits.map(({ left }) => left)),
    ['0.00'],
  );
  await steps.release(one ?? { reservation_id: '' });
  await steps.reserve(plan, act('4.00'));
  await expire(prepared);
  t.deepEqual(await shown(prepared), ['allow', '0.00 0.00 10.00']);
  const { limits } = await steps.reserve(plan, act('10.00'));
  t.like(limits, [{ used: '0.00', reserved: '0.00', left: '10.00' }]);
  const rows = await verification.withDatabase('superuser', (database) =>
    sql`SELECT FROM verification.reservation WHERE tenant_id = ${callers.tenantId}`.execute(database),
  );
  t.is(rows.rows.length, 1);
});

test('an act beyond what others reserved is refuted and counts, and those who reserved still pass', async (t) => {
  const prepared = await prepare();
  const { plan, record, steps } = prepared;
  const mine = act('5.00');
  await steps.reserve(plan, mine);
  const other = await another(prepared);
  await refuted(
    t,
    other.record(plan, [act('7.00')]),
    'LIMIT_EXCEEDED',
    /5\.00 is left .* 5\.00 is reserved, and 7\.00/,
  );
  t.deepEqual(await shown(prepared, mine), ['allow', '7.00 0.00 3.00']);
  t.is((await record([mine])).state, 'recorded');
  t.deepEqual(await shown(prepared), ['refuse', '11.00 0.00 0.00']);
});

test('a reservation lets no act beyond a limit that was tightened since, or whose window is another one', async (t) => {
  const tightened = await prepare();
  const mine = act('5.00');
  await tightened.steps.reserve(tightened.plan, mine);
  await catalogue.describe(
    tightened.callers.approver,
    transfer({ version: '1.1.0', limits: [daily({ most: '4.00' })] }),
  );
  await refuted(t, tightened.record([mine]), 'LIMIT_EXCEEDED', /allows 4\.00/);
  const moved = await prepare();
  await moved.steps.reserve(moved.plan, mine);
  await change(moved, sql`counts = replace(counts::text, 'T00:00:00', 'T00:00:01')::jsonb`);
  await refuted(t, (await another(moved)).record(moved.plan, [act('7.00')]), 'LIMIT_EXCEEDED');
  await refuted(t, moved.record([mine]), 'LIMIT_EXCEEDED', /3\.00 is left/);
});

test('a reservation that expires while its act waits for the counters is not used', async (t) => {
  const prepared = await prepare({ reserve: 2 });
  const mine = act('5.00');
  await prepared.steps.reserve(prepared.plan, mine);
  const { tenantId } = prepared.callers;
  const sent = await verification.withDatabase('superuser', (database) =>
    database.transaction().execute(async (other) => {
      await sql`UPDATE verification.limit_use SET used = 7 WHERE tenant_id = ${tenantId}`.execute(other);
      const recording = prepared.record([mine]);
      recording.catch(() => {});
      const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
      await until(async () => (await waiting.execute(other)).rows.length > 0);
      const expired = sql`SELECT FROM verification.reservation
        WHERE tenant_id = ${tenantId} AND expires_at <= clock_timestamp()`;
      await until(async () => (await expired.execute(other)).rows.length > 0);
      return { recording };
    }),
  );
  await refuted(t, sent.recording, 'LIMIT_EXCEEDED', /3\.00 is left/);
});

for (const [what, changes, left] of [
  ['that failed uses its reservation', { outcome: 'failed', response: undefined }, '0.00'],
  ['of unknown outcome uses its reservation', { outcome: 'unknown', response: undefined }, '0.00'],
  ['with another argument uses none', { args: { ...act('').args, amount: '4.00' } }, '4.00'],
] as const) {
  test(`an act ${what}`, async (t) => {
    const prepared = await prepare();
    const mine = act('4.00');
    await prepared.steps.reserve(prepared.plan, mine);
    await prepared.record([{ ...mine, ...changes } as typeof mine]);
    t.deepEqual(await shown(prepared), ['allow', `4.00 ${left} ${left === '0.00' ? '6.00' : '2.00'}`]);
  });
}

test('one reservation is used by one of two equal acts, in two runs as in one', async (t) => {
  const prepared = await prepare();
  const mine = act('4.00');
  await prepared.steps.reserve(prepared.plan, mine);
  await refuted(t, prepared.record([mine, { ...mine, response: act('').response }, act('3.00')]), 'LIMIT_EXCEEDED');
  const again = await prepare();
  for (const amount of ['4.00', '4.00'])
    await again.steps.reserve(again.plan, { ...mine, args: { ...mine.args, amount } });
  await again.record([mine]);
  t.deepEqual(await shown(again), ['allow', '4.00 4.00 2.00']);
});

test('the reservations of a run hold one execution together, until the run is recorded', async (t) => {
  const prepared = await prepareAny(transfer({ limits: [] }), { ...RESERVE, max_executions: 2 });
  const { steps, plan, record } = prepared;
  const other = await another(prepared);
  const [first, second] = [[act('1.00'), act('2.00')], [act('3.00')]];
  for (const each of first) await steps.reserve(plan, each, { run: 'first' });
  await steps.reserve(plan, act('9.00'), { run: 'first' });
  for (const each of second) await steps.reserve(plan, each, { run: 'second' });
  await refused(t, steps.reserve(plan, act('1.00'), { run: 'third' }), 'EXECUTIONS_EXHAUSTED');
  await refused(t, other.reserve(plan, act('1.00'), { run: 'first' }), 'EXECUTIONS_EXHAUSTED');
  await refuted(t, other.record(plan, [act('1.00')]), 'EXECUTIONS_EXHAUSTED');
  t.like(await other.preflight(plan, [], act('1.00')), { result: { reasons: [{ code: 'EXECUTIONS_EXHAUSTED' }] } });
  t.is((await steps.preflight(plan, first.slice(1), first[0] ?? act(''))).decision, 'allow');
  t.is((await record(first)).state, 'recorded');
  // What the first run did not use holds nothing any more.
  t.is((await steps.preflight(plan, [], second[0] ?? act(''))).decision, 'allow');
  await refuted(t, other.record(plan, [act('1.00')]), 'EXECUTIONS_EXHAUSTED');
  t.is((await record(second)).state, 'recorded');
  await refused(t, steps.reserve(plan, act('1.00'), { run: 'second' }), 'EXECUTIONS_EXHAUSTED');
});

test('a run that does other acts than it reserved has the execution that its group holds', async (t) => {
  const { steps, plan, record } = await prepare({ max_executions: 1 });
  await steps.reserve(plan, act('1.00'));
  t.is((await steps.preflight(plan, [], act('2.00'))).decision, 'allow');
  t.is((await record([act('2.00')])).state, 'recorded');
});

test('a reservation is refused where nothing could be done', async (t) => {
  const { steps, plan, callers } = await prepare();
  const reserve = (changes: object) => steps.reserve(plan, { ...act('1.00'), ...changes });
  await refused(t, reserve({ step_id: 'look' }), 'MALFORMED_INPUT', /^\/action\/step_id: /);
  await refused(t, reserve({ tool_version: '1.1.0' }), 'MALFORMED_INPUT', /^\/action\/step_id: /);
  await refused(t, reserve({ args: { ...act('').args, amount: '1' } }), 'MALFORMED_INPUT', /^\/action\/args\/amount: /);
  await refused(t, steps.reserve({ ...plan, plan_hash: '0'.repeat(64) }, act('1.00')), 'PLAN_HASH_MISMATCH');
  await refused(
    t,
    createPlanSteps(verification.service, callers.reader).reserve(plan, act('1.00')),
    'ROLE_NOT_ALLOWED',
  );
  const stranger = await verification.addTenant('stranger');
  await refused(t, createPlanSteps(verification.service, stranger.agent).reserve(plan, act('1.00')), 'NOT_FOUND');
  const draft = await steps.create(planOf(TEN, { ...RESERVE, title: 'Draft' }));
  await refused(t, steps.reserve(draft, act('1.00')), 'PLAN_NOT_APPROVED', /draft/);
  await steps.withdraw(callers.approver, plan);
  await refused(t, steps.reserve(plan, act('1.00')), 'PLAN_NOT_APPROVED', /withdrawn/);
  const without = await prepareAny(TEN);
  await refused(t, without.steps.reserve(without.plan, act('1.00')), 'NOT_RESERVABLE');
});

test('a reservation is made once for its key, and released by its group while it is open', async (t) => {
  const prepared = await prepare();
  const { steps, plan, record, callers } = prepared;
  const mine = act('1.00');
  const idempotencyKey = randomUUID();
  const made = await Promise.all(Array.from({ length: 5 }, () => steps.reserve(plan, mine, { idempotencyKey })));
  t.is(new Set(made.map((each) => each.reservation_id)).size, 1);
  t.deepEqual(await shown(prepared), ['allow', '0.00 1.00 9.00']);
  const [reserved] = made;
  if (reserved === undefined) return t.fail();
  const stranger = createPlanSteps(verification.service, (await verification.addTenant('stranger')).agent);
  for (const { release } of [await another(prepared), stranger]) await refused(t, release(reserved), 'NOT_FOUND');
  await refused(t, createPlanSteps(verification.service, callers.reader).release(reserved), 'ROLE_NOT_ALLOWED');
  await refused(t, steps.release({ reservation_id: 'x' }), 'NOT_FOUND');
  await record([mine]);
  await refused(t, steps.release(reserved), 'NOT_FOUND');
  const late = await steps.reserve(plan, act('1.00'));
  await expire(prepared);
  await refused(t, steps.release(late), 'NOT_FOUND');
});

test('a group has at most a hundred open reservations under a plan', async (t) => {
  const prepared = await prepare();
  const { steps, plan } = prepared;
  await steps.reserve(plan, act('0.01'));
  await verification.withDatabase('superuser', (database) =>
    sql`INSERT INTO verification.reservation
      SELECT tenant_id, gen_random_uuid(), plan_id, owner, run, intents_hash, counts, holds_execution, expires_at
      FROM verification.reservation, generate_series(1, 99) WHERE plan_id = ${plan.plan_id}`.execute(database),
  );
  await refused(t, steps.reserve(plan, act('0.01')), 'TOO_MANY_RESERVATIONS');
  await (await another(prepared)).reserve(plan, act('0.01'));
});

test('reservations and records of two plans at once stay within the limits, and none waits in a circle', async (t) => {
  const perPayee = daily({ id: 'payee', per: 'payee', most: '90.00' });
  const tool = transfer({ limits: [daily({ most: '200.00' }), perPayee] });
  const prepared = await prepareAny(tool, RESERVE);
  const { steps, callers } = prepared;
  const second = await steps.create(planOf(tool, { ...RESERVE, title: 'Second' }));
  await steps.approve(callers.approver, second);
  const sent = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, index) => {
      const plan = index % 2 === 0 ? prepared.plan : second;
      const acts = (index % 4 < 2 ? ['ann', 'bob'] : ['bob', 'ann']).map((payee) => act('10.00', { payee }));
      // Those who cannot reserve all do not act.
      if (index % 5 > 0) for (const each of acts) await steps.reserve(plan, each);
      return { isReserved: index % 5 > 0, ...(await steps.record(plan, acts)) };
    }),
  );
  const done = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const codes = sent.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  t.deepEqual(
    [...new Set(codes)].filter((code) => code !== 'LIMIT_EXCEEDED'),
    [],
  );
  t.true(done.every(({ isReserved, state }) => !isReserved || state === 'recorded'));
  const passed = done.filter(({ state }) => state === 'recorded').length;
  t.true(passed > 0 && passed <= 9, String(passed));
});
