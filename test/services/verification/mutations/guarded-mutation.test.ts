import test from 'ava';
import { sql } from 'kysely';
import {
  applyOnce,
  findAnswer,
  type MutationRequest,
} from '../../../../services/verification/mutations/guarded-mutation.ts';
import { isRevenueFrozen, setRevenueFreeze } from '../../../../services/verification/mutations/revenue-freeze.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { until } from '../../../kit/until.ts';
import { startVerificationDatabase } from '../verification-database.ts';

const BY_TEST = { operator: 'test', reason: 'a test' };

const database = await startVerificationDatabase();
test.after.always(() => database.stop());

const mutation = (idempotencyKey: string, changes: Partial<MutationRequest> = {}): MutationRequest => ({
  tenantId: database.tenants[0],
  idempotencyKey,
  group: 'refunds',
  operation: 'approve_plan',
  request: { plan_id: 'p1' },
  isRevenueWrite: false,
  ...changes,
});
const keysOf = async (tenantId: string): Promise<readonly string[]> => {
  const rows = await inTenant(database.service, tenantId, (transaction) =>
    // The query has no filter, so it returns all rows that row-level security shows.
    transaction.selectFrom('verification.guarded_mutation').select('idempotency_key').execute(),
  );
  return rows.map(({ idempotency_key }) => idempotency_key);
};

test('fifty equal concurrent requests are applied once and get the same answer', async (t) => {
  let applied = 0;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      applyOnce(database.service, mutation('fifty'), async () => {
        applied += 1;
        return { b: 1, a: ['x', null] };
      }),
    ),
  );
  t.is(applied, 1);
  t.is(answers.filter(({ isReplay }) => !isReplay).length, 1);
  for (const { answer } of answers) t.deepEqual(answer, { b: 1, a: ['x', null] });
});

test('refuses another operation, body, path or group under a used key', async (t) => {
  const apply = async () => ({});
  await applyOnce(database.service, mutation('reused'), apply);
  for (const change of [
    { group: 'payouts' },
    { operation: 'execute' },
    { request: { plan_id: 'p2' } },
    { request: {} },
  ]) {
    const error = await t.throwsAsync(applyOnce(database.service, mutation('reused', change), apply));
    t.like(error, { code: 'IDEMPOTENCY_KEY_REUSED' });
  }
});

test('a write whose answer is deleted is not applied again, and its key stays taken', async (t) => {
  const apply = async () => ({});
  await applyOnce(database.service, mutation('forgotten'), apply);
  await database.owner
    .updateTable('verification.guarded_mutation')
    .set({ answer: null })
    .where('idempotency_key', '=', 'forgotten')
    .execute();
  const again = (changes = {}) => [
    applyOnce(database.service, mutation('forgotten', changes), async () => t.fail()),
    findAnswer(database.service, mutation('forgotten', changes)),
  ];
  for (const call of again()) t.like(await t.throwsAsync(call), { code: 'ALREADY_DONE' });
  for (const call of again({ request: {} })) t.like(await t.throwsAsync(call), { code: 'IDEMPOTENCY_KEY_REUSED' });
});

test('a request with its members in another order is the same request', async (t) => {
  const apply = async () => 1;
  await applyOnce(database.service, mutation('order', { request: { a: 1, b: 2 } }), apply);
  const again = await applyOnce(database.service, mutation('order', { request: { b: 2, a: 1 } }), apply);
  t.true(again.isReplay);
});

test('a failure stores nothing, and the same key works later', async (t) => {
  const failing = applyOnce(database.service, mutation('failed'), async () => {
    throw new Error('not now');
  });
  await t.throwsAsync(failing, { message: 'not now' });
  t.false((await keysOf(database.tenants[0])).includes('failed'));
  t.false((await applyOnce(database.service, mutation('failed'), async () => 'done')).isReplay);
});

test('a request that waits for an equal one is applied if that one fails', async (t) => {
  let calls = 0;
  const attempt = () =>
    applyOnce(database.service, mutation('waits'), async () => {
      calls += 1;
      if (calls === 1) throw new Error('first');
      return calls;
    }).catch(({ message }: Error) => message);
  const answers = await Promise.all([attempt(), attempt(), attempt()]);
  t.is(calls, 2);
  t.deepEqual(answers.filter((answer) => answer === 'first').length, 1);
});

test('a connection that breaks during the write stores nothing', async (t) => {
  const broken = applyOnce(database.service, mutation('broken'), async (transaction) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
    await sql`SELECT pg_terminate_backend(${defined(rows[0]).pid}, 5000)`.execute(database.owner);
    return 'lost';
  });
  await t.throwsAsync(broken);
  t.false((await keysOf(database.tenants[0])).includes('broken'));
  t.deepEqual(await applyOnce(database.service, mutation('broken'), async () => 'kept'), {
    answer: 'kept',
    isReplay: false,
  });
});

test("tenants have their own keys, and do not see other tenants' keys", async (t) => {
  const [first, second] = database.tenants;
  await applyOnce(database.service, mutation('own'), async () => 'first');
  const other = await applyOnce(database.service, mutation('own', { tenantId: second }), async () => 'second');
  t.deepEqual(other, { answer: 'second', isReplay: false });
  t.deepEqual(await keysOf(second), ['own']);
  t.true((await keysOf(first)).includes('own'));
});

test('the service sees no rows without a tenant, and writes none for another tenant', async (t) => {
  const [first, second] = database.tenants;
  await applyOnce(database.service, mutation('hidden'), async () => 1);
  const { rows } = await sql`SELECT * FROM verification.guarded_mutation`.execute(database.service);
  t.deepEqual(rows, []);
  const write = inTenant(database.service, second, (transaction) =>
    transaction
      .insertInto('verification.guarded_mutation')
      .values({ tenant_id: first, idempotency_key: 'smuggled', request_hash: '0'.repeat(64), answer: null })
      .execute(),
  );
  await t.throwsAsync(write, { code: '42501' });
});

test('the service cannot change a stored answer', async (t) => {
  await applyOnce(database.service, mutation('final'), async () => 'first');
  const { numUpdatedRows } = await inTenant(database.service, database.tenants[0], (transaction) =>
    transaction
      .updateTable('verification.guarded_mutation')
      .set({ answer: '"other"' })
      .where('idempotency_key', '=', 'final')
      .executeTakeFirst(),
  );
  t.is(numUpdatedRows, 0n);
});

test.serial('a freeze refuses revenue writes and no others, and the same key works after it', async (t) => {
  await setRevenueFreeze(database.owner, true, BY_TEST);
  t.true(await isRevenueFrozen(database.service));
  const revenue = mutation('frozen', { isRevenueWrite: true });
  const error = await t.throwsAsync(applyOnce(database.service, revenue, async () => 1));
  t.like(error, { code: 'REVENUE_WRITES_FROZEN' });
  t.false((await applyOnce(database.service, mutation('harmless'), async () => 1)).isReplay);
  await setRevenueFreeze(database.owner, false, BY_TEST);
  t.deepEqual(await applyOnce(database.service, revenue, async () => 1), { answer: 1, isReplay: false });
});

/** Starts a revenue write that ends at `letGo`. */
function hold(key: string) {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let isBegun = false;
  const answer = applyOnce(database.service, mutation(key, { isRevenueWrite: true }), async () => {
    isBegun = true;
    begun.resolve();
    await ended.promise;
    return 1;
  });
  return { answer, begun: begun.promise, isBegun: () => isBegun, letGo: () => ended.resolve() };
}

/** Whether at least `count` transactions wait for a lock. */
const areWaiting = (count: number) => async () => {
  const { rows } = await sql`SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(database.owner);
  return rows.length >= count;
};

test.serial('no revenue write commits after the call to freeze returns', async (t) => {
  const slow = hold('slow');
  await slow.begun;
  const committed: string[] = [];
  const write = slow.answer.then(() => committed.push('write'));
  const freeze = setRevenueFreeze(database.owner, true, BY_TEST).then(() => committed.push('freeze'));
  await until(areWaiting(1));
  slow.letGo();
  await Promise.all([write, freeze]);
  t.deepEqual(committed.toSorted(), ['freeze', 'write']);
  const late = applyOnce(database.service, mutation('late', { isRevenueWrite: true }), async () => 1);
  t.like(await t.throwsAsync(late), { code: 'REVENUE_WRITES_FROZEN' });
  await setRevenueFreeze(database.owner, false, BY_TEST);
});

test.serial('a freeze waits for running revenue writes, and later ones wait for the freeze', async (t) => {
  const before = hold('before');
  await before.begun;
  const freeze = setRevenueFreeze(database.owner, true, BY_TEST);
  await until(areWaiting(1));
  const after = hold('after');
  const isDecided = async () => after.isBegun() || (await areWaiting(2)());
  await until(isDecided);
  t.false(after.isBegun());
  after.letGo();
  before.letGo();
  await freeze;
  t.like(await t.throwsAsync(after.answer), { code: 'REVENUE_WRITES_FROZEN' });
  await setRevenueFreeze(database.owner, false, BY_TEST);
});
