import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createClient } from 'redis';
import { LEDGER_LIBRARY } from '../../../../services/ledger/redis/function-library.ts';
import { functionName } from '../../../../services/platform/redis/function-library.ts';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { until } from '../../../helpers/until.ts';
import { newNetwork, newReservation, openLedger, throwsUnavailable } from '../fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

async function connect(t: { readonly teardown: (end: () => void) => void }) {
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  return client;
}

test('a reserve of a wallet that another process has locked times out and burns no nonce', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network, lockWaitMs: 100 });
  const reservation = newReservation();
  const client = await connect(t);
  const key = `tollhouse:{${network}}:lock:${reservation.wallet}`;
  await client.set(key, 'another', { PX: 60_000 });
  await throwsUnavailable(t, ledger.reserve(reservation), 'lock_timeout');
  t.true(ledger.ready().ok);
  await client.del(key);
  t.is((await ledger.reserve(reservation)).state, 'reserved');
});

test('a reserve releases its lock', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const reservation = newReservation();
  await ledger.reserve(reservation);
  const client = await connect(t);
  await until(async () => (await client.exists(`tollhouse:{${network}}:lock:${reservation.wallet}`)) === 0);
  t.pass();
});

test('a reserve that lost its lock is refused and burns no nonce', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const readiness = ledger.ready();
  if (!readiness.ok) return t.fail(readiness.reason);
  const { reservationId, wallet, nonce, expirationTimeMs, deadlineMs } = newReservation();
  const subject = [reservationId, wallet, nonce, 'geocode', 14_000, expirationTimeMs, deadlineMs];
  const args = [readiness.position.epoch, 0, '', 50_000, 5_000_000, 0, 5, ...subject, randomUUID(), ''].map(String);
  const client = await connect(t);
  const reply: unknown = await client.fCall(functionName(LEDGER_LIBRARY, 'reserve'), {
    keys: [`tollhouse:{${network}}:`],
    arguments: args,
  });
  t.deepEqual(reply, ['done', '0', 'lock_lost', '50000']);
  t.is((await ledger.reserve(newReservation({ wallet, nonce }))).state, 'reserved');
});
