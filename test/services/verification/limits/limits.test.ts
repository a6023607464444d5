import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { counterOf, keyOf } from '../../../../services/verification/limits/charges.ts';
import { addUse } from '../../../../services/verification/limits/limit-use.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { daily, transfer } from '../catalogue/tools.ts';
import { refuted } from '../steps.ts';
import { type Callers, useVerificationProcess } from '../verification-process.ts';
import { act, createLimited, planOf } from './limited.ts';

const verification = await useVerificationProcess();
const { catalogue, prepare } = createLimited(verification);
test.after.always(() => verification.stop());

const leftOf = async ({ agent }: Callers) =>
  (await catalogue.list(agent))
    .filter(({ origin }) => origin === 'tenant')
    .flatMap(({ limits }) => limits.map(({ left }) => left));

const executionsOf = (tenantId: string) =>
  verification.withDatabase('service', (database) =>
    inTenant(database, tenantId, (transaction) =>
      transaction.selectFrom('verification.execution').select('execution_id').execute(),
    ),
  );

const refuses = (
  t: ExecutionContext,
  call: ReturnType<Awaited<ReturnType<typeof prepare>>['record']>,
  message: RegExp,
) => refuted(t, call, 'LIMIT_EXCEEDED', message);

test('acts up to the limit pass, and one more is refuted and counts', async (t) => {
  const { callers, record } = await prepare(transfer({ limits: [daily()] }));
  await record([act('400.00'), act('599.99')]);
  t.deepEqual(await leftOf(callers), ['0.01']);
  await refuses(
    t,
    record([act('0.02')]),
    /^the limit daily of bank\.transfer allows 1000\.00 of amount in one day; 0\.01 is left until \d{4}-\d\d-\d\dT00:00:00\.000000Z, and 0\.02 is needed$/,
  );
  t.is((await executionsOf(callers.tenantId)).length, 2);
  t.deepEqual(await leftOf(callers), ['0.00']);
});

test('an act beyond its limit raises what was used to at most one more than the limit, and its message has the amount', async (t) => {
  const { callers, plan, record, steps } = await prepare(transfer({ limits: [daily()] }));
  await record([act('100.00')]);
  const invented = `1${'0'.repeat(30)}.00`;
  await refuses(t, record([act(invented)]), new RegExp(`900\\.00 is left until .*, and ${invented} is needed$`));
  t.deepEqual(await leftOf(callers), ['0.00']);
  t.like((await steps.preflight(plan, [], act('1.00'))).limits, [{ used: '1001.00', left: '0.00' }]);
  t.is((await record([act('0.00'), act('-1.00')])).state, 'recorded');
});

test('a negative amount makes no room', async (t) => {
  const { callers, record } = await prepare(transfer({ limits: [daily()] }));
  await record([act('-500.00'), act('1000.00')]);
  t.deepEqual(await leftOf(callers), ['0.00']);
  await refuses(t, record([act('-1.00'), act('1.00')]), /0\.00 is left/);
});

test('a limit for each value of an argument counts each alone, and a limit of acts counts acts', async (t) => {
  const perPayee = daily({ id: 'payee', per: 'payee', most: '100.00' });
  const acts = daily({ id: 'acts', of: null, within: 'week', most: '4' });
  const { callers, record } = await prepare(transfer({ limits: [perPayee, acts] }));
  await record([act('100.00', { payee: 'ann' }), act('60.00', { payee: 'bob' })]);
  await refuses(
    t,
    record([act('0.01', { payee: 'ann' })]),
    /limit payee .* of amount for each payee in one day; 0\.00/,
  );
  await refuses(
    t,
    record(
      [act('1.00'), act('1.00'), act('1.00')].map((each) => ({ ...each, args: { ...each.args, payee: randomUUID() } })),
    ),
    /limit acts .* allows 4 of acts in one week; 1 is left/,
  );
  t.deepEqual(await leftOf(callers), [null, '0']);
});

test('all spellings of a text that the newest description folds share a counter', async (t) => {
  const perPayee = daily({ id: 'payee', per: 'payee', most: '100.00' });
  const { callers, record } = await prepare(transfer({ limits: [] }));
  const args = { ...transfer().args, payee: { type: 'string', max: 64, fold: 'email' } };
  await catalogue.describe(callers.approver, transfer({ version: '1.1.0', args, limits: [perPayee] }));
  await record([act('60.00', { payee: 'ann@example.org' }), act('30.00', { payee: 'Ann@example.org ' })]);
  await record([act('10.00', { payee: 'ANN@example.org' })]);
  await refuses(t, record([act('0.01', { payee: '\ufeffANN@example.org' })]), /limit payee .* 0\.00 is left/);
});

test('versions of a tool share what they used, and the newest limit binds plans of older versions', async (t) => {
  const { callers, record, steps } = await prepare(transfer({ limits: [daily()] }));
  await record([act('300.00')]);
  const tighter = daily({ most: '500.00' });
  const newer = transfer({ version: '1.1.0', limits: [tighter] });
  await catalogue.describe(callers.approver, newer);
  t.deepEqual(await leftOf(callers), ['700.00', '200.00']);
  const plan = await steps.create(planOf(newer));
  await steps.approve(callers.approver, plan);
  await record([act('150.00')]);
  t.deepEqual(await leftOf(callers), ['550.00', '50.00']);
  await refuses(t, record([act('50.01')]), /allows 500\.00 .* 50\.00 is left/);
});

test('an act with two limits of one sum is counted once, and neither may be exceeded', async (t) => {
  const limits = [daily({ id: 'high', most: '1000.00' }), daily({ id: 'low', most: '300.00' })];
  const { callers, plan, record, steps } = await prepare(transfer({ limits }));
  await record([act('100.00'), act('50.00')]);
  t.deepEqual(await leftOf(callers), ['850.00', '150.00']);
  const { limits: shown, decision } = await steps.preflight(plan, [act('100.00')], act('50.00'));
  t.is(decision, 'allow');
  t.deepEqual(
    shown.map(({ id, used, left }) => [id, used, left]),
    [
      ['high', '150.00', '750.00'],
      ['low', '150.00', '50.00'],
    ],
  );
  await record([act('150.00')]);
  t.deepEqual(await leftOf(callers), ['700.00', '0.00']);
  await refuses(t, record([act('0.01')]), /^the limit low .* 0\.00 is left/);
});

/** Counts an act at a time, in a session of that time zone, and tells when the hour, the day and the week end. */
const endsOf = (tenantId: string, at: string, timeZone: string) =>
  verification.withDatabase('service', (database) =>
    inTenant(database, tenantId, async (transaction) => {
      await sql`SELECT set_config('timezone', ${timeZone}, true)`.execute(transaction);
      const counters = (['hour', 'day', 'week'] as const).map((within) =>
        counterOf('bank.transfer', { id: within, of: 'amount', per: null, within, most: '1.00' }, ''),
      );
      const uses = await addUse(transaction, new Map(counters.map((one) => [one, 1n])), { tenantId, at });
      return counters.map((one) => uses.get(keyOf(one))?.endsAt);
    }),
  );

test('an act counts in the hour, day and week of UTC, on a database in any time zone', async (t) => {
  const { tenantId } = await verification.addTenant('zones');
  // On that day, clocks are set back there.
  const [, day, week] = await endsOf(tenantId, '2026-10-25T00:00:00.000000Z', 'Europe/Berlin');
  t.deepEqual([day, week], ['2026-10-26T00:00:00.000000Z', '2026-10-26T00:00:00.000000Z']);
  for (const timeZone of ['UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const midnight = '2026-07-06T00:00:00.000000Z';
    const sunday = '2026-07-05T23:59:59.999999Z';
    t.deepEqual(await endsOf(tenantId, sunday, timeZone), [midnight, midnight, midnight], timeZone);
    t.deepEqual(
      await endsOf(tenantId, midnight, timeZone),
      ['2026-07-06T01:00:00.000000Z', '2026-07-07T00:00:00.000000Z', '2026-07-13T00:00:00.000000Z'],
      timeZone,
    );
  }
});

test('a tool that the catalogue describes later is limited from then on, under its folded name', async (t) => {
  const { callers, record } = await prepare(transfer({ limits: [] }));
  await record([act('5000.00')]);
  await catalogue.describe(callers.approver, transfer({ version: '2.0.0', limits: [daily()] }));
  await record([act('1000.00')]);
  await refuses(t, record([act('0.01')]), /0\.00 is left/);
});

test('an act that cannot be counted is not recorded', async (t) => {
  const { callers, record } = await prepare(transfer({ limits: [] }));
  const args = { ...transfer().args, sum: { type: 'decimal', scale: 2 } };
  await catalogue.describe(callers.approver, transfer({ version: '2.0.0', args, limits: [daily({ of: 'sum' })] }));
  const error = await t.throwsAsync(record([act('1.00')]), { code: 'MALFORMED_INPUT' });
  t.true(error.message.startsWith('/actions/0/args/sum: must be a number'), error.message);
  t.is((await executionsOf(callers.tenantId)).length, 0);
});

test('preflight tells what is left, and refuses an action that the run could not record', async (t) => {
  const { plan, record, steps } = await prepare(transfer({ limits: [daily()] }));
  await record([act('300.00')]);
  const next = act('200.00');
  const first = await steps.preflight(plan, [act('400.00')], next);
  t.is(first.decision, 'allow');
  t.like(first.limits, [{ id: 'daily', most: '1000.00', used: '300.00', left: '300.00', within: 'day' }]);
  const second = await steps.preflight(plan, [act('400.00'), act('100.01')], next);
  t.is(second.decision, 'refuse');
  t.like(second.result.reasons, [{ code: 'LIMIT_EXCEEDED', path: '/action' }]);
});

test('attempts of one act count once in preflight, pass the checks and are proven', async (t) => {
  const tool = transfer({ limits: [daily({ most: '10.00' })], once: 'invoice' });
  const { plan, steps } = await prepare(tool);
  const paid = act('6.00');
  const unknown = { ...paid, outcome: 'unknown', response: undefined } as const;
  for (const [next, decision, left] of [
    [paid, 'allow', '10.00'],
    [act('4.00'), 'allow', '4.00'],
    [act('4.01'), 'refuse', '4.00'],
  ] as const)
    t.like(await steps.preflight(plan, [unknown, unknown], next), { decision, limits: [{ left }] });
  const { execution_id } = await steps.record(plan, [unknown, paid]);
  t.truthy((await steps.verify(execution_id)).proof_id);
});

test('of twenty parallel recordings, those within the limits pass', async (t) => {
  const perPayee = daily({ id: 'payee', per: 'payee', most: '90.00' });
  const { callers, record } = await prepare(transfer({ limits: [daily({ most: '200.00' }), perPayee] }));
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const payees = index % 2 === 0 ? ['ann', 'bob'] : ['bob', 'ann'];
      return record(payees.map((payee) => act('10.00', { payee })));
    }),
  );
  const passed = sent.filter(({ state }) => state === 'recorded');
  // Each run pays 10.00 to each of two payees, who may get 90.00 each.
  t.is(passed.length, 9);
  const codes = sent.flatMap(({ refused = [] }) => refused.map(({ code }) => code));
  t.deepEqual([...new Set(codes)], ['LIMIT_EXCEEDED']);
  t.deepEqual(await leftOf(callers), ['0.00', null]);
});

test('a window that ended is swept, and does not count', async (t) => {
  const { callers, record } = await prepare(transfer({ limits: [daily()] }));
  const { tenantId } = callers;
  const inDatabase = <Row>(query: ReturnType<typeof sql<Row>>) =>
    verification.withDatabase('service', (database) =>
      inTenant(database, tenantId, async (transaction) => (await query.execute(transaction)).rows),
    );
  const insert = (days: number) =>
    inDatabase(sql`
      INSERT INTO verification.limit_use (tenant_id, tool_folded, summed, per, per_value, within, begins_at, used)
      VALUES (${tenantId}, 'banktransfer', 'amount', '', '', 'day',
        date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - ${days} * interval '1 day', 1000)`);
  await insert(1);
  await insert(9);
  await record([act('1000.00')]);
  const rows = await inDatabase(sql<{ count: number }>`SELECT count(*)::int AS count FROM verification.limit_use`);
  t.deepEqual(rows, [{ count: 2 }]);
});
