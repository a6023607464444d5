import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import test from 'ava';
import { createBodyCipher } from '../../../services/backoffice/body-cipher.ts';
import { createRetention } from '../../../services/backoffice/retention.ts';
import type { Ledger } from '../../../services/ledger/ledger.ts';
import { createRedisLedger } from '../../../services/ledger/redis-ledger.ts';
import type { GrpcServer } from '../../../services/shared/grpc-server.ts';
import { createLogger } from '../../../services/shared/logger.ts';
import { type Database, openDatabase } from '../../../services/store/database.ts';
import { newReservation } from '../ledger/fixture.ts';
import { type JobsHarness, startJobsHarness, until } from './jobs/harness.ts';
import { startPaymentsServer } from './payments-server.ts';

const NETWORK = 'eip155:31337';
/** A reservation made now is overdue at once for whoever reads the right time. */
const LATE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
let harness: JobsHarness;
let payments: GrpcServer;
let database: Database;
let ledger: Ledger;

test.before(async () => {
  harness = await startJobsHarness();
  payments = await startPaymentsServer(`unix:${folder}/payments.sock`, NETWORK);
  const open = await createClient({ url: harness.redisUrl }).connect();
  // As a managed Redis does: nobody but its operator may use CONFIG.
  await open.aclSetUser('default', '-config');
  open.destroy();
  await harness.startCopy('backoffice', {
    PAYMENTS_URL: payments.address,
    LEDGER_DURABILITY_VOUCHED: 'true',
    SWEEP_INTERVAL_MS: '200',
  });
  const logger = createLogger({ name: 'test', level: 'silent' });
  database = openDatabase({ url: harness.databaseUrl, connections: 2, logger });
  ledger = createRedisLedger({
    url: harness.redisUrl,
    network: NETWORK,
    isDurabilityVouched: true,
    now: () => Date.now() - LATE_MS,
  });
  await ledger.check();
});
test.after.always(async () => {
  await ledger?.close();
  await database?.destroy();
  await payments?.close();
  await harness?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A reservation whose gateway is gone: its deadline has long passed. */
async function orphan() {
  const nowMs = Date.now() - LATE_MS;
  const reservation = newReservation({ deadlineMs: nowMs + 30_000, expirationTimeMs: nowMs + 300_000 });
  const outcome = await ledger.reserve(reservation);
  if (outcome.state !== 'reserved') throw new Error(outcome.state);
  return { reservation, ledgerPosition: { network: NETWORK, ...outcome.position } };
}

async function retainedOrphan() {
  const { reservation, ledgerPosition } = await orphan();
  const retention = createRetention({ database, cipher: createBodyCipher([{ id: 'one', secret: randomBytes(32) }]) });
  await retention.retain({
    recordId: reservation.reservationId,
    access: 'trial',
    operation: reservation.operation,
    requestBody: Buffer.from('{}'),
    responseBody: Buffer.from('{}'),
    dueAt: new Date(Date.now() + 3_600_000),
    ledgerPosition,
  });
  return reservation;
}

const isSwept = async () => (await ledger.audit()).pending === 0;

test.serial('where CONFIG is forbidden and durability is vouched for, orphans are posted or voided', async (t) => {
  const kept = await retainedOrphan();
  const { reservation: lost } = await orphan();
  await until(isSwept);
  t.is(await ledger.balance(kept.wallet), 36_000n);
  t.is(await ledger.balance(lost.wallet), 50_000n);
  t.is((await ledger.post(kept.reservationId)).state, 'posted');
  t.is((await ledger.post(lost.reservationId)).state, 'voided');
});
