import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Access, BackofficeServiceService } from '../../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { createBackofficeClient } from '../../../../services/backoffice/contract/client.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createRetention, OutdatedTrialError } from '../../../../services/backoffice/retention/retention.ts';
import { dayOf } from '../../../../services/backoffice/retention/retention-days.ts';
import { createBackofficeService } from '../../../../services/backoffice/service.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { MAX_ANSWER_BYTES, MAX_REQUEST_BYTES } from '../../../../services/platform/grpc/size-limits.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKey } from '../../../../services/platform/process/named-keys.ts';
import { migrate } from '../../../../services/store/database.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const newKey = (id: string): NamedKey => ({ id, secret: randomBytes(32) });
const KEY = newKey('one');

// On a busy disk, the write of the largest call may take long.
const { url, database, stop } = await createTestDatabase({ connections: 16, statementTimeoutMs: 60_000 });
const retention = createRetention({ database, cipher: createBodyCipher([KEY]) });
await Promise.all([migrate(url, logger), migrate(url, logger)]);
await Promise.all([retention.createPartitions(Date.now()), retention.createPartitions(Date.now())]);
test.after.always(stop);

const retentionWith = (...keys: [NamedKey, ...NamedKey[]]) =>
  createRetention({ database, cipher: createBodyCipher(keys) });
const newCall = (changes: object = {}) => ({
  recordId: uuidv7(),
  access: 'trial' as const,
  operation: 'html-to-markdown',
  requestBody: Buffer.from('{"html":"<p>secret"}'),
  responseBody: Buffer.from('{"markdown":"secret"}'),
  dueAt: new Date(Date.now() + 60_000),
  ...changes,
});

// The tests are serial: the largest call keeps the process busy for longer than the others wait for a connection.
test.serial(
  'a call of the largest size is retained and read back over gRPC, even if it cannot be compressed',
  async (t) => {
    const server = await startGrpcServer({
      listen: '127.0.0.1:0',
      service: BackofficeServiceService,
      serviceName: 'tollhouse.backoffice.v1.BackofficeService',
      protoFile: 'tollhouse/backoffice/v1/backoffice.proto',
      implementation: createBackofficeService({
        retention: retentionWith(KEY),
        readJournalLag: () => undefined,
        readCallFreeze: async () => ({ isFrozen: false }),
        logger,
        now: Date.now,
      }),
      logger,
    });
    const client = createBackofficeClient(server.address);
    t.teardown(async () => {
      client.close();
      await server.close();
    });
    const requestBody = randomBytes(MAX_REQUEST_BYTES);
    const responseBody = randomBytes(MAX_ANSWER_BYTES);
    const { recordId, operation } = newCall();
    const dueAtMs = BigInt(Date.now() + 60_000);
    const ledgerPosition = { network: 'eip155:8453', epoch: 'e'.repeat(64), sequence: 2n ** 62n };
    const record = {
      recordId,
      operation,
      access: Access.ACCESS_TRIAL,
      requestBody,
      responseBody,
      dueAtMs,
      ledgerPosition,
      reservedTrial: { wallet: `0x${'a'.repeat(40)}`, nonce: 'b'.repeat(32), amountMicroUsd: 3000n },
      claim: undefined,
    };
    await client.retain(record, { timeoutMs: 60_000 });
    const retained = await client.getRetained(recordId, { timeoutMs: 60_000 });
    t.true(requestBody.equals(retained.requestBody));
    t.true(responseBody.equals(retained.responseBody));
  },
);

test.serial('retained bodies are read back, and are stored encrypted', async (t) => {
  const retention = retentionWith(KEY);
  const call = newCall();
  await retention.retain(call);
  t.like(await retention.read(call.recordId), {
    operation: call.operation,
    requestBody: call.requestBody,
    responseBody: call.responseBody,
  });
  const row = await database
    .selectFrom('retained_body')
    .selectAll()
    .where('record_id', '=', call.recordId)
    .executeTakeFirstOrThrow();
  t.false(row.request_body.includes('secret'));
  t.is(row.key_id, 'one');
  t.is(row.day, dayOf(call.recordId));
});

async function countCommits(): Promise<bigint> {
  const { rows } = await sql<{
    n: bigint;
  }>`SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()`.execute(database);
  return defined(rows[0]).n;
}

test.serial('500 concurrent payments are committed, each with its obligation, in few transactions', async (t) => {
  const retention = retentionWith(KEY);
  const before = await countCommits();
  const calls = Array.from({ length: 500 }, () => newCall({ access: 'payment' }));
  await Promise.all(calls.map(retention.retain));
  const ids = calls.map(({ recordId }) => recordId);
  t.is(
    (await database.selectFrom('retained_body').select('record_id').where('record_id', 'in', ids).execute()).length,
    500,
  );
  t.is(
    (await database.selectFrom('obligation').select('record_id').where('record_id', 'in', ids).execute()).length,
    500,
  );
  await sql`SELECT pg_stat_force_next_flush()`.execute(database);
  t.true((await countCommits()) - before < 100n);
});

test.serial('a retained payment has an obligation, and a retained trial has none', async (t) => {
  const [trial, payment] = [newCall(), newCall({ access: 'payment' })];
  await Promise.all([trial, payment].map(retentionWith(KEY).retain));
  const owed = await database
    .selectFrom('obligation')
    .select('record_id')
    .where('record_id', 'in', [trial.recordId, payment.recordId])
    .execute();
  t.deepEqual(owed, [{ record_id: payment.recordId }]);
});

test.serial('the first call that is retained under an id stays', async (t) => {
  const retention = retentionWith(KEY);
  const call = newCall();
  await retention.retain(call);
  await retention.retain({ ...call, responseBody: Buffer.from('other') });
  t.deepEqual((await retention.read(call.recordId))?.responseBody, call.responseBody);
});

test.serial('bodies that were swapped between records or columns cannot be decrypted', async (t) => {
  const retention = retentionWith(KEY);
  const [one, two] = [newCall(), newCall()];
  await Promise.all([retention.retain(one), retention.retain(two)]);
  const row = await database
    .selectFrom('retained_body')
    .selectAll()
    .where('record_id', '=', two.recordId)
    .executeTakeFirstOrThrow();
  await database
    .updateTable('retained_body')
    .set({ response_body: row.response_body })
    .where('record_id', '=', one.recordId)
    .execute();
  await t.throwsAsync(retention.read(one.recordId));
  await database
    .updateTable('retained_body')
    .set({ response_body: row.request_body })
    .where('record_id', '=', two.recordId)
    .execute();
  await t.throwsAsync(retention.read(two.recordId));
});

test.serial('a new key encrypts new bodies, and the old key still decrypts earlier ones', async (t) => {
  const call = newCall();
  await retentionWith(KEY).retain(call);
  const next = newKey('two');
  const rotated = retentionWith(next, KEY);
  t.deepEqual((await rotated.read(call.recordId))?.requestBody, call.requestBody);
  const later = newCall();
  await rotated.retain(later);
  await t.throwsAsync(retentionWith(KEY).read(later.recordId), { message: /the retention key two is not configured/ });
});

test.serial('an unknown record is undefined', async (t) => {
  t.is(await retentionWith(KEY).read(uuidv7()), undefined);
});

test.serial('finds which of many ids are retained', async (t) => {
  const retention = retentionWith(KEY);
  const calls = [newCall(), newCall()];
  const ids = calls.map(({ recordId }) => recordId);
  await Promise.all(calls.map(retention.retain));
  t.deepEqual([...(await retention.findRetained([...ids, uuidv7()]))].toSorted(), ids.toSorted());
  t.deepEqual(await retention.findRetained([]), new Set());
});

test.serial('the witness of a ledger only moves forward, and another epoch does not replace it', async (t) => {
  const retention = retentionWith(KEY);
  const at = (epoch: string, sequence: bigint) => ({ network: 'test:1', epoch, sequence });
  t.deepEqual(await retention.attest(at('a', 5n)), at('a', 5n));
  t.deepEqual(await retention.attest(at('a', 9n)), at('a', 9n));
  t.deepEqual(await retention.attest(at('a', 7n)), at('a', 9n));
  t.deepEqual(await retention.attest(at('b', 100n)), at('a', 9n));
  await retention.retain(newCall({ ledgerPosition: at('a', 12n) }));
  t.deepEqual(await retention.attest(at('a', 0n)), at('a', 12n));
  await t.throwsAsync(retention.retain(newCall({ ledgerPosition: at('b', 50n) })), { instanceOf: OutdatedTrialError });
  t.deepEqual(await retention.attest(at('a', 0n)), at('a', 12n));
});

test.serial('a trial of an ended epoch is refused, and the others of its batch are retained', async (t) => {
  const retention = retentionWith(KEY);
  const at = (epoch: string) => ({ network: 'test:2', epoch, sequence: 1n });
  await retention.attest(at('new'));
  const calls = [
    newCall({ ledgerPosition: at('old') }),
    newCall({ ledgerPosition: at('new') }),
    newCall({ access: 'payment' }),
  ];
  // The first call is committed alone, and the others together.
  const [first, ...others] = await Promise.allSettled([newCall(), ...calls].map(retention.retain));
  t.is(first?.status, 'fulfilled');
  t.deepEqual(
    others.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
  const ids = calls.map(({ recordId }) => recordId);
  t.deepEqual(await retention.findRetained(ids), new Set(ids.slice(1)));
});

test.serial(
  'calls of yesterday are retained, and calls of the next two days whose partitions are made early',
  async (t) => {
    const retention = retentionWith(KEY);
    const [midnight, dayMs] = [Date.UTC(2033, 4, 5), 86_400_000];
    await retention.createPartitions(midnight);
    // Reserved before midnight by the clock of the gateway, and retained after it.
    for (const msecs of [midnight - dayMs, midnight - 1, midnight, midnight + 3 * dayMs - 1]) {
      const call = newCall({ recordId: uuidv7({ msecs }) });
      await retention.retain(call);
      t.like(await retention.read(call.recordId), { requestBody: call.requestBody });
    }
    await retention.check(midnight + 3 * dayMs - 1);
    await t.throwsAsync(retention.check(midnight + 3 * dayMs), { message: /20330508 does not exist/ });
  },
);
