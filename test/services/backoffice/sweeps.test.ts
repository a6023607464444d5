import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { createClient } from 'redis';
import { v7 as uuidv7 } from 'uuid';
import { RetentionReviewServiceClient } from '../../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { JobState } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { createBodyCipher } from '../../../services/backoffice/retention/body-cipher.ts';
import { createPartitions, listDayPartitions } from '../../../services/backoffice/retention/partitions.ts';
import { createRetention } from '../../../services/backoffice/retention/retention.ts';
import { dayAt } from '../../../services/backoffice/retention/retention-days.ts';
import { createRedisLedger } from '../../../services/ledger/redis/redis-ledger.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../services/store/database.ts';
import { until } from '../../helpers/until.ts';
import { newReservation, PATIENT } from '../ledger/fixture.ts';
import { endOf, getJob, newSubmission, startJobsHarness, submit } from './jobs/harness.ts';
import { startPaymentsServer } from './payments-server.ts';

const NETWORK = 'eip155:31337';
const OPERATOR_KEY = 'key-of-this-test';
const OVERDUE_DAY = '2025-01-31';
const ADMIN = { username: 'admin', password: 'admin' };
/** The size of a few dozen lines. */
const SMALL_LOG_BYTES = 30_000;
/** How far the ledger's clock is behind. Its new reservations are overdue at once for a process with the right time. */
const LATE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));

const settings = () => ({
  PAYMENTS_URL: payments.address,
  LEDGER_DURABILITY_VOUCHED: 'true',
  OPERATOR_KEY_HASHES: `ada:${createHash('sha256').update(OPERATOR_KEY).digest('hex')}`,
  SWEEP_INTERVAL_MS: '200',
  JOB_FIRST_RETRY_MS: '500',
});

const harness = await startJobsHarness();
const payments = await startPaymentsServer(`unix:${folder}/payments.sock`, NETWORK);
const open = await createClient({ url: harness.redisUrl }).connect();
// As with a managed Redis, only the operator may use CONFIG.
await open.aclSetUser('admin', ['on', '>admin', '~*', '&*', '+@all']);
await open.aclSetUser('default', '-config');
open.destroy();
const logger = createLogger({ name: 'test', level: 'silent' });
const database = openDatabase({ url: harness.databaseUrl, connections: 2, logger });
await createPartitions(database, Date.parse(OVERDUE_DAY));
const copy = await harness.startCopy('backoffice', settings());
const ledger = createRedisLedger({
  url: harness.redisUrl,
  network: NETWORK,
  isDurabilityVouched: true,
  ...PATIENT,
  now: () => Date.now() - LATE_MS,
});
await ledger.check();
test.after.always(async () => {
  await ledger.close();
  await database.destroy();
  await payments.close();
  await harness.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a reservation whose gateway is gone: its deadline has passed long ago. */
async function orphan(reservationId = uuidv7()) {
  const nowMs = Date.now() - LATE_MS;
  const times = { deadlineMs: nowMs + 30_000, expirationTimeMs: nowMs + 300_000 };
  const reservation = newReservation({ ...times, reservationId });
  const outcome = await ledger.reserve(reservation);
  if (outcome.state !== 'reserved') throw new Error(outcome.state);
  return reservation;
}

/** Makes such a reservation with a retained result. The result comes first, because a sweep may run at any time. */
async function retainedOrphan() {
  const recordId = uuidv7();
  const retention = createRetention({ database, cipher: createBodyCipher([{ id: 'one', secret: randomBytes(32) }]) });
  await retention.retain({
    recordId,
    access: 'trial',
    operation: 'html-to-markdown',
    requestBody: Buffer.from('{}'),
    responseBody: Buffer.from('{}'),
    dueAt: new Date(Date.now() + 3_600_000),
  });
  return orphan(recordId);
}

test.serial('a back office deletes the bodies of days that were overdue before its start', async (t) => {
  const days = async () => (await listDayPartitions(database)).map(({ day }) => day);
  await until(async () => !(await days()).includes(OVERDUE_DAY));
  t.true((await days()).includes(dayAt(Date.now())));
});

test.serial('the back office answers reviews to operators only', async (t) => {
  const client = new RetentionReviewServiceClient(copy.target, credentials.createInsecure());
  t.teardown(() => client.close());
  const ask = (authorization: string) =>
    new Promise<number | undefined>((resolve) => {
      const metadata = new Metadata();
      metadata.set('authorization', authorization);
      const subject = { $case: 'recordId' as const, value: uuidv7() };
      client.review({ subject, operator: '', reason: 'drill' }, metadata, (error) => resolve(error?.code));
    });
  t.is(await ask('Bearer another'), status.PERMISSION_DENIED);
  t.is(await ask(`Bearer ${OPERATOR_KEY}`), status.NOT_FOUND);
});

const isSwept = async () => (await ledger.audit()).pending === 0;

test.serial(
  'orphans are posted or voided if CONFIG is forbidden and the operator vouches for durability',
  async (t) => {
    const kept = await retainedOrphan();
    const lost = await orphan();
    await until(isSwept);
    t.is(await ledger.balance(kept.wallet), 36_000n);
    t.is(await ledger.balance(lost.wallet), 50_000n);
    t.is((await ledger.post(kept.reservationId)).state, 'posted');
    t.is((await ledger.post(lost.reservationId)).state, 'voided');
  },
);

test.serial('orphans are resolved while Redis has no memory, and the log stays small', async (t) => {
  const orphans = [await retainedOrphan(), await orphan()];
  const admin = await createClient({ url: harness.redisUrl, ...ADMIN }).connect();
  // The retry of this durable job becomes due while Redis has no memory.
  harness.verification.fail('INTERNAL', 1);
  const submission = newSubmission();
  const { jobId } = await submit(copy, submission);
  await until(() => harness.verification.requests.length === 1);
  await until(async () => (await getJob(copy, submission, jobId)).state === JobState.JOB_STATE_QUEUED);
  await admin.configSet('maxmemory', '1');
  try {
    await until(isSwept);
    await until(() => readFileSync(copy.logPath, 'utf8').includes('OOM'));
    const { size } = statSync(copy.logPath);
    t.true(size < SMALL_LOG_BYTES, `${size} bytes`);
  } finally {
    await admin.configSet('maxmemory', '0');
    admin.destroy();
  }
  t.is((await endOf(copy, submission, jobId)).state, JobState.JOB_STATE_SUCCEEDED);
  const balances = await Promise.all(orphans.map(({ wallet }) => ledger.balance(wallet)));
  t.deepEqual(balances, [36_000n, 50_000n]);
});
