import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Access, BackofficeServiceService } from '../../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { createBackofficeClient } from '../../../../services/backoffice/contract/client.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createRetention } from '../../../../services/backoffice/retention/retention.ts';
import { dayOf } from '../../../../services/backoffice/retention/retention-days.ts';
import { createBackofficeService } from '../../../../services/backoffice/service.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { MAX_ANSWER_BYTES, MAX_REQUEST_BYTES } from '../../../../services/platform/grpc/size-limits.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKey } from '../../../../services/platform/process/named-keys.ts';
import { migrate } from '../../../../services/store/database.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newClaim } from './new-claim.ts';

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
/** A claim as a gateway sends it. */
function claimRecord() {
  const { digest, fingerprint, offerSecretHash, ...claim } = newClaim();
  const bytes = (hash: string) => Buffer.from(hash, 'hex');
  return {
    ...claim,
    digest: bytes(digest),
    fingerprint: bytes(fingerprint),
    offerSecretHash: bytes(offerSecretHash),
    paymentIdentifierHash: undefined,
  };
}

const newCall = (changes: object = {}) => ({
  recordId: uuidv7(),
  operation: 'html-to-markdown',
  requestBody: Buffer.from('{"html":"<p>secret"}'),
  responseBody: Buffer.from('{"markdown":"secret"}'),
  dueAt: new Date(Date.now() + 60_000),
  claim: newClaim(),
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
    const record = {
      recordId,
      operation,
      access: Access.ACCESS_PAYMENT,
      requestBody,
      responseBody,
      dueAtMs,
      claim: claimRecord(),
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
  const calls = Array.from({ length: 500 }, () => newCall());
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
