import test, { type ExecutionContext } from 'ava';
import { dropNonces } from '../../../../services/ledger/store/partitions.ts';
import { readDatabaseStatus } from '../../../../services/ledger/store/status.ts';
import { newChannel, newCharge } from '../channel-fixture.ts';
import { createLedgerDatabase, newTrial, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A ledger with the database to itself, whose clock is days ahead. */
async function open(t: ExecutionContext) {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  const ledger = openTrialLedger(t, database);
  const nowMs = Date.now();
  const aheadMs = nowMs + 5 * DAY_MS;
  await ledger.setClock(aheadMs);
  return { ledger, nowMs, aheadMs };
}

test.failing('a restore while the clock was ahead closes the ledger for no longer than another', async (t) => {
  const { ledger, nowMs } = await open(t);
  await ledger.query("UPDATE ledger.epoch SET identity = 'another'");
  await ledger.sweep({ graceMs: 0, limit: 1 });
  await ledger.setClock(nowMs + 10 * MINUTE_MS);
  t.is((await readDatabaseStatus(ledger.pool)).fault, undefined);
});

test.failing('nonces that were dropped while the clock was ahead do not refuse later proofs', async (t) => {
  const { ledger, nowMs } = await open(t);
  await dropNonces(ledger.pool);
  await ledger.setClock(nowMs + DAY_MS);
  t.is((await ledger.reserve(newTrial({ nowMs: nowMs + DAY_MS }))).state, 'reserved');
});

test.failing('a call that was reserved while the clock was ahead is swept', async (t) => {
  const { ledger, nowMs, aheadMs } = await open(t);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: 100_000n });
  const { reservationId, deadlineMs } = newTrial({ nowMs: aheadMs });
  t.is((await ledger.charge(newCharge({ channelId, reservationId, deadlineMs }))).state, 'reserved');
  await ledger.setClock(nowMs + 10 * MINUTE_MS);
  t.like(await ledger.sweep({ graceMs: 5000, limit: 10 }), { voided: 1 });
});
