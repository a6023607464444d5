import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createDeletion } from '../../../../services/backoffice/retention/deletion.ts';
import {
  createPartitions,
  listDayPartitions,
  lockPartitions,
} from '../../../../services/backoffice/retention/partitions.ts';
import { dayAt, deletedAfterMs } from '../../../../services/backoffice/retention/retention-days.ts';
import { readCall } from '../../../../services/backoffice/retention/sealed-bodies.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { createTenant } from '../../../../services/verification/tenants/keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { attempt } from '../../payments/claims/claims-fixture.ts';
import { openRetainedCalls } from './retained-calls.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const logger = createLogger({ name: 'test', level: 'silent' });
const KEYS: NamedKeys = [{ id: 'one', secret: randomBytes(32) }];
const cipher = createBodyCipher(KEYS);
const never = new AbortController().signal;

const stores = await createTestDatabase();
const { database } = stores;
const { claims, retainCall, close } = openRetainedCalls(stores);
test.after.always(async () => {
  await close();
  await stores.stop();
});

const runAt = (nowMs: number) => createDeletion({ database, days: DAYS, now: async () => nowMs, logger })(never);
const listDays = async () => (await listDayPartitions(database)).map(({ day }) => day);

/** Retains a call at a time. @returns its id */
const retainAt = async (atMs: number): Promise<string> => (await retainCall(KEYS, { atMs })).recordId;

/** Retains a call that owes nothing, as the ledger stores those of trials and channels with their charge. */
async function retainClosedAt(atMs: number): Promise<string> {
  const recordId = await retainAt(atMs);
  await database.deleteFrom('ledger.payment_claim').where('claim_id', '=', recordId).execute();
  return recordId;
}

/** Stores that an attempt to settle has failed, or that the payment is settled. */
async function finish(recordId: string, state: 'settled' | 'failed'): Promise<void> {
  const claim = await claims.findById(recordId);
  if (claim === undefined) throw new Error('there is no claim');
  const begun = attempt();
  await claims.startSettling(claim, begun);
  const paymentResponseJson = '{}';
  const failed = { state: 'failed', final: false, isPayersFault: false, paymentResponseJson } as const;
  await claims.finish(claim, begun.attemptId, state === 'failed' ? failed : { state, paymentResponseJson });
}

const read = (recordId: string) => readCall({ database, cipher }, recordId);

test.serial(
  'a day is deleted once its last moment is older than the setting, and not a millisecond earlier',
  async (t) => {
    const day = '2020-02-29';
    const recordId = await retainClosedAt(Date.parse(day) + DAY_MS - 1);
    const dueMs = deletedAfterMs(day, DAYS);
    t.is(new Date(dueMs).toISOString(), '2020-03-31T00:00:00.000Z');
    await runAt(dueMs - 1);
    t.true((await listDays()).includes(day));
    t.truthy(await read(recordId));
    await runAt(dueMs);
    t.false((await listDays()).includes(day));
    t.is(await read(recordId), undefined);
  },
);

test.serial('a late run deletes all overdue days, however old, and keeps the others', async (t) => {
  const nowMs = Date.now();
  for (const atMs of [Date.parse('1999-12-31'), nowMs - 400 * DAY_MS, nowMs - 40 * DAY_MS, nowMs]) {
    await createPartitions(database, atMs);
  }
  const kept = (await listDays()).filter((day) => deletedAfterMs(day, DAYS) > nowMs);
  await runAt(nowMs);
  t.deepEqual(await listDays(), kept);
  await runAt(nowMs);
  t.deepEqual(await listDays(), kept, 'a second run changes nothing');
  t.true(kept.includes(dayAt(nowMs)));
});

test.serial(
  'a body with an open payment is held when its day is deleted, and is deleted once it is closed',
  async (t) => {
    const atMs = Date.now() - 60 * DAY_MS;
    // One by one: a connection of the pool is waited for only so long.
    const owed: string[] = [];
    while (owed.length < 45) owed.push(await retainAt(atMs));
    const closed = await retainClosedAt(atMs);
    // The payment may still be settled: nothing proves that it failed.
    const failed = await retainAt(atMs);
    await finish(failed, 'failed');
    await runAt(Date.now());
    t.false((await listDays()).includes(dayAt(atMs)));
    t.is(await read(closed), undefined);
    const open = [...owed, failed];
    for (const recordId of open) t.is((await read(recordId))?.responseBody.toString(), '{"markdown":"private answer"}');

    for (const recordId of owed) await finish(recordId, 'settled');
    await runAt(Date.now());
    for (const recordId of owed) t.is(await read(recordId), undefined);
    t.truthy(await read(failed));
    const accounts = await database
      .selectFrom('ledger.payment_claim')
      .select('claim_id')
      .where('claim_id', 'in', owed)
      .execute();
    t.is(accounts.length, owed.length, 'the payments stay');
  },
);

test.serial('copies that delete at the same time delete each day once', async (t) => {
  const atMs = Date.now() - 90 * DAY_MS;
  const owed = await retainAt(atMs);
  for (let n = 1; n < 10; n += 3) await createPartitions(database, atMs - n * DAY_MS);
  await Promise.all(Array.from({ length: 4 }, () => runAt(Date.now())));
  await runAt(Date.now());
  t.deepEqual(
    (await listDays()).filter((day) => deletedAfterMs(day, DAYS) <= Date.now()),
    [],
  );
  t.truthy(await read(owed));
});

test.serial('a long reader delays the deletion, but neither the run nor new calls wait for it', async (t) => {
  const day = dayAt(Date.now() - 50 * DAY_MS);
  await createPartitions(database, Date.parse(day));
  await createPartitions(database, Date.now());
  await database.transaction().execute(async (reader) => {
    await sql`SELECT count(*) FROM retained_body`.execute(reader);
    await runAt(Date.now());
    t.true((await listDays()).includes(day));
    t.truthy(await read(await retainToday()));
  });
  await runAt(Date.now());
  t.false((await listDays()).includes(day));
});

const retainToday = () => retainAt(Date.now());

test.serial(
  'a long reader delays new partitions, and is a fault only if the partition of the day is missing',
  async (t) => {
    const nowMs = Date.now();
    await createPartitions(database, nowMs);
    await database.transaction().execute(async (reader) => {
      await sql`SELECT count(*) FROM retained_body`.execute(reader);
      await createPartitions(database, nowMs + DAY_MS);
      await t.throwsAsync(createPartitions(database, nowMs + 99 * DAY_MS), { message: /does not exist/ });
      t.truthy(await read(await retainAt(nowMs)));
    });
    await createPartitions(database, nowMs + DAY_MS);
    t.true((await listDays()).includes(dayAt(nowMs + 3 * DAY_MS)));
  },
);

test.serial('a process that is paused while it changes the partitions does not stop another one', async (t) => {
  const locked = Promise.withResolvers<void>();
  const paused = Promise.withResolvers<void>();
  const change = database.transaction().execute(async (transaction) => {
    await lockPartitions(transaction);
    locked.resolve();
    await paused.promise;
  });
  await locked.promise;
  await t.notThrowsAsync(createPartitions(database, Date.now()));
  paused.resolve();
  await t.throwsAsync(change);
});

test.serial('a partition that is not of one day is not deleted', async (t) => {
  await sql`CREATE TABLE retained_body_old PARTITION OF retained_body FOR VALUES FROM ('1990-01-01') TO ('1991-01-01')`.execute(
    database,
  );
  await runAt(Date.now());
  const { rows } = await sql`SELECT FROM pg_class WHERE relname = 'retained_body_old'`.execute(database);
  t.is(rows.length, 1);
});

/** A check as the service stores it. Ages are in days at the time of the run; an expiry may be ahead. */
interface Check {
  readonly check: string;
  readonly age: number;
  readonly expired: number;
  /** Which check of an execution it is. */
  readonly of?: 'alignment' | 'constraints';
}

/** Stores checks and what belongs to them, as a superuser: only the service may add such rows. @returns their ids */
async function insertChecks(
  tenantId: string,
  checks: readonly Check[],
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const at = (days: number) => new Date(nowMs - days * DAY_MS).toISOString();
  const rows = checks.map(({ check, age, expired, of }) => ({
    key: check,
    check_id: uuidv7(),
    other_id: uuidv7(),
    plan_id: uuidv7(),
    checked_at: at(age),
    expires_at: at(expired),
    of: of ?? null,
  }));
  const hash = '0'.repeat(64);
  await connected(adminUrlOf(stores.url), (client) =>
    client.query(`
      CREATE TEMP TABLE given AS SELECT * FROM json_to_recordset($$${JSON.stringify(rows)}$$) AS given (key text,
        check_id uuid, other_id uuid, plan_id uuid, checked_at timestamptz, expires_at timestamptz, of text);
      INSERT INTO verification.plan (tenant_id, plan_id, document, plan_hash, lint, expires_at, created_by,
          proposer_group)
        SELECT '${tenantId}', plan_id, '{}', '${hash}', '[]', expires_at, plan_id, 'a' FROM given;
      INSERT INTO verification.approval (tenant_id, plan_id, plan_hash, proposed_by, approved_by)
        SELECT '${tenantId}', plan_id, '${hash}', plan_id, check_id FROM given;
      INSERT INTO verification.plan_check (tenant_id, check_id, plan_id, kind, mode, actions, intents_hash, result, verdict,
          created_by, owner, is_preview, checked_at)
        SELECT '${tenantId}', id, plan_id, 'constraints', 'complete', '[]', '${hash}', '{}', 'violated', plan_id, 'a', false,
          CASE id WHEN check_id THEN checked_at ELSE 'infinity' END
        FROM given, unnest(ARRAY[check_id, CASE WHEN of IS NOT NULL THEN other_id END]) AS id WHERE id IS NOT NULL;
      INSERT INTO verification.execution (tenant_id, execution_id, plan_id, alignment_check_id, constraints_check_id, actions,
          execution_hash, created_by, owner, state)
        SELECT '${tenantId}', other_id, plan_id, CASE of WHEN 'alignment' THEN check_id ELSE other_id END,
          CASE of WHEN 'constraints' THEN check_id ELSE other_id END, '[]', '${hash}', plan_id, 'a', 'recorded'
        FROM given WHERE of IS NOT NULL;
      INSERT INTO verification.guarded_mutation (tenant_id, idempotency_key, request_hash, answer)
        SELECT '${tenantId}', key, '${hash}', '{"check_id":"' || check_id || '","result":{}}' FROM given;`),
  );
  return new Map(rows.map(({ key, check_id }) => [key, check_id]));
}

test.serial(
  'a check is deleted with its answer once it is old, its plan beyond all grace, and no execution has it',
  async (t) => {
    const minute = 1 / 1440;
    const deleted: readonly Check[] = [
      { check: 'old', age: DAYS + minute, expired: 1 + minute },
      { check: 'ended-long-ago', age: 900, expired: 400 },
      // More than one batch, made at one time.
      ...Array.from({ length: 1100 }, (_, n) => ({ check: `twin-${n}`, age: 40, expired: 39 })),
    ];
    const kept: readonly Check[] = [
      { check: 'young', age: DAYS - minute, expired: 29 },
      { check: 'in-grace', age: 900, expired: 1 - minute },
      { check: 'in-force', age: 900, expired: -1 },
      { check: 'recorded', age: 900, expired: 400, of: 'alignment' },
      { check: 'recorded-too', age: 900, expired: 400, of: 'constraints' },
    ];
    const nowMs = Date.now();
    const tenantId = await createTenant(database, 'checks');
    const ids = await insertChecks(tenantId, [...deleted, ...kept], nowMs);
    const left = async () => {
      const { rows } = await sql<{ check: string; hasAnswer: boolean }>`
      SELECT idempotency_key AS check, answer IS NOT NULL AS "hasAnswer"
      FROM verification.guarded_mutation WHERE tenant_id = ${tenantId}`.execute(database);
      const checks = await database
        .selectFrom('verification.plan_check')
        .select('check_id')
        .where('checked_at', '<', sql<Date>`'infinity'`)
        .execute();
      return { rows, checks: checks.map(({ check_id }) => check_id).toSorted() };
    };
    await runAt(nowMs - 400 * DAY_MS);
    t.is((await left()).checks.length, ids.size);
    await runAt(nowMs);
    const { rows, checks } = await left();
    t.deepEqual(checks, kept.map(({ check }) => defined(ids.get(check))).toSorted());
    t.is(rows.length, ids.size, 'every key stays');
    const answered = rows.flatMap(({ check, hasAnswer }) => (hasAnswer ? [check] : []));
    t.deepEqual(answered.toSorted(), kept.map(({ check }) => check).toSorted());
  },
);
