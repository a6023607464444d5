import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Reservation } from '../../../../services/ledger/contract/ledger.ts';
import { planRestore, restoreLedger } from '../../../../services/ledger/restore/restore.ts';
import { until } from '../../../helpers/until.ts';
import { newReservation, openLedger } from '../fixture.ts';
import { openHarness, startServers } from './harness.ts';

const servers = await startServers();
test.after.always(() => servers.stop());

const BY = { operator: 'ops', reason: 'a drill', releaseLostTail: false, isDatabaseRestored: false };
const DAY_MS = 86_400_000;

test('open trials of several days are charged if their results are retained, however old they are', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, network, stores } = harness;
  const retained: Reservation[] = [];
  const open: Reservation[] = [];
  for (const age of [5, 3, 0]) {
    const atMs = Date.now() - age * DAY_MS;
    await servers.retention.createPartitions(atMs);
    const then = await openLedger(t, { url: servers.redisUrl, network, now: () => atMs });
    for (const calls of [retained, open]) {
      const reservationId = uuidv7({ msecs: atMs });
      const call = newReservation({ reservationId, expirationTimeMs: atMs + 300_000, deadlineMs: atMs + 30_000 });
      const outcome = await then.reserve(call);
      if (outcome.state !== 'reserved') throw new Error(outcome.state);
      if (calls === retained) await harness.retain(call, outcome.position);
      calls.push(call);
    }
  }
  await harness.copy();
  await harness.lose();
  await until(() => !ledger.ready().ok);
  t.like(await planRestore(stores, BY), { condition: 'lost', posted: 3, voided: 3, missing: 0n });
  await restoreLedger(stores, BY);
  await until(() => ledger.ready().ok);
  for (const { wallet } of retained) t.is(await ledger.balance(wallet), 36_000n);
  for (const { wallet } of open) t.is(await ledger.balance(wallet), 50_000n);
});
