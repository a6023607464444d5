import test from 'ava';
import { dropNonces, makePartitions } from '../../../../services/ledger/store/partitions.ts';
import { newAnswer, newTrial, openOwnLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2030, 0, 5, 12);

test('a clock that jumps frees no nonce: proofs from before the watermark are expired', async (t) => {
  const { ledger } = await openOwnLedger(t);
  await ledger.setClock(NOON_MS);
  const [posted, open] = [newTrial({ nowMs: NOON_MS }), newTrial({ nowMs: NOON_MS })];
  await Promise.all([posted, open].map(ledger.reserve));
  await ledger.post(newAnswer(posted));

  await ledger.setClock(NOON_MS + DAY_MS);
  await dropNonces(ledger.pool, NOON_MS + DAY_MS);
  await ledger.setClock(NOON_MS);
  t.is((await ledger.reserve({ ...newTrial({ nowMs: NOON_MS }), nonce: posted.nonce })).state, 'nonce_replayed');

  await ledger.setClock(NOON_MS + 2 * DAY_MS);
  await dropNonces(ledger.pool, NOON_MS + 2 * DAY_MS);
  await ledger.setClock(NOON_MS);
  await makePartitions(ledger.pool);
  t.deepEqual(await ledger.query('SELECT FROM ledger.nonce'), []);
  t.is((await ledger.reserve({ ...newTrial({ nowMs: NOON_MS }), nonce: posted.nonce })).state, 'expired');
  t.is((await ledger.reserve(newTrial({ nowMs: NOON_MS, expirationTimeMs: NOON_MS + DAY_MS }))).state, 'reserved');
  // What was reserved and posted is known by its id.
  t.deepEqual(await ledger.reserve(open), { state: 'reserved', balanceMicroUsd: 36_000n });
  t.deepEqual(await ledger.reserve(posted), { state: 'posted', balanceMicroUsd: 36_000n });
  t.deepEqual((await ledger.audit()).violations, []);
});

test('nonces are dropped by the earlier of two clocks, so one that is ahead refuses no proof', async (t) => {
  const { ledger } = await openOwnLedger(t);
  const aheadMs = NOON_MS + 5 * DAY_MS;
  await ledger.setClock(NOON_MS);
  for (const [serverMs, callerMs] of [
    [aheadMs, NOON_MS],
    [NOON_MS, aheadMs],
  ] as const) {
    await ledger.setClock(serverMs);
    await dropNonces(ledger.pool, callerMs);
    await ledger.setClock(NOON_MS);
    await makePartitions(ledger.pool);
    t.is((await ledger.reserve(newTrial({ nowMs: NOON_MS }))).state, 'reserved');
  }
});
