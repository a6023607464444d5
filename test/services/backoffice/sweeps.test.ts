import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { RetentionReviewServiceClient } from '../../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { createPartitions, listDayPartitions } from '../../../services/backoffice/retention/partitions.ts';
import { dayAt } from '../../../services/backoffice/retention/retention-days.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../services/store/database.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { answering, startUpstream } from '../../kit/upstream-server.ts';
import { openClient } from '../ledger/service/service-fixture.ts';
import { newTrial, openTrialLedger, prepareLedger } from '../ledger/store/store-fixture.ts';
import { startJobsHarness } from './jobs/harness.ts';
import { startPaymentsServer } from './payments-server.ts';

const NETWORK = 'eip155:31337';
const OPERATOR_KEY = 'key-of-this-test';
const OVERDUE_DAY = '2025-01-31';
/** The size of a few dozen lines. */
const SMALL_LOG_BYTES = 30_000;
/** How far the ledger's clock is behind. Its new reservations are overdue at once for a process with the right time. */
const LATE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));

const settings = () => ({
  PAYMENTS_URL: payments.address,
  OPERATOR_KEY_HASHES: `ada:${createHash('sha256').update(OPERATOR_KEY).digest('hex')}`,
});

const harness = await startJobsHarness();
const payments = await startPaymentsServer(`unix:${folder}/payments.sock`, NETWORK);
const logger = createLogger({ name: 'test', level: 'silent' });
const database = openDatabase({ url: harness.databaseUrl, connections: 2, logger });
await createPartitions(database, Date.parse(OVERDUE_DAY));
const copy = await harness.startCopy('backoffice', settings());
await prepareLedger(harness.databaseUrl);
const closing: (() => unknown)[] = [];
const ledger = openTrialLedger(
  { teardown: (close) => closing.push(close) },
  { url: harness.databaseUrl, database },
  { network: NETWORK },
);
await ledger.setClock(Date.now() - LATE_MS);
test.after.always(async () => {
  for (const close of closing) await close();
  await database.destroy();
  await payments.close();
  await harness.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a reservation whose gateway is gone: its deadline has passed long ago. */
async function orphan() {
  const reservation = newTrial({ nowMs: Date.now() - LATE_MS });
  const outcome = await ledger.reserve(reservation);
  if (outcome.state !== 'reserved') throw new Error(outcome.state);
  return reservation;
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

test.serial('the back office serves the ledger of the network that the payments service names', async (t) => {
  const client = await openClient(t, { target: copy.target });
  const trial = newTrial();
  const { state } = await client.reserve(trial);
  t.is(state, 'reserved');
  t.is(await ledger.balance(trial.wallet), 36_000n);
  t.is((await client.void(trial.reservationId, 'cancelled')).state, 'voided');
});

const isSwept = async () => (await ledger.audit()).pending === 0;

test.serial('orphans are voided, and the log stays small', async (t) => {
  const { wallet } = await orphan();
  await until(isSwept);
  const { size } = statSync(copy.logPath);
  t.true(size < SMALL_LOG_BYTES, `${size} bytes`);
  t.is(await ledger.balance(wallet), 50_000n);
});

test.serial('the webhook of the copy that takes over is told what happened', async (t) => {
  const receiver = await startUpstream(t, answering(''));
  await copy.process.stop('SIGTERM', HANG_MS);
  await harness.startCopy('with-webhook', {
    ...settings(),
    WEBHOOK_URL: receiver.baseUrl.href,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  });
  const event_id = uuidv7();
  const event = { tenant_id: uuidv7(), event_id, type: 'plan.proposed', data: '{}' };
  await database.insertInto('verification.webhook_event').values(event).execute();
  await receiver.arrived(1);
  t.is(receiver.seen[0]?.headers['webhook-id'], event_id);
});
