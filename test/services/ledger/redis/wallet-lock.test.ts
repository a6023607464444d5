import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createClient } from 'redis';
import type { Reservation } from '../../../../services/ledger/contract/ledger.ts';
import { LEDGER_LIBRARY } from '../../../../services/ledger/redis/function-library.ts';
import { functionName } from '../../../../services/platform/redis/function-library.ts';
import { type LedgerRedis, startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, openLedger, throwsUnavailable, until } from '../fixture.ts';

let redis: LedgerRedis;

test.before(async () => {
  redis = await startLedgerRedis();
});
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

/** Counts commands of every connection that contain a text, and those within functions. */
async function monitor(t: Parameters<typeof connect>[0]) {
  const [client, sender] = [await connect(t), await connect(t)];
  const lines: string[] = [];
  await client.monitor((line) => lines.push(line.toString()));
  return async (part: string) => {
    const mark = randomUUID();
    await sender.echo(mark);
    await until(() => lines.some((line) => line.includes(mark)));
    return lines.filter((line) => line.includes(part)).length;
  };
}

test('a reserve waits for the lock of another process, and releases its own lock', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network, lockWaitMs: 60_000 });
  const reservation = newReservation();
  const client = await connect(t);
  const key = `tollhouse:{${network}}:lock:${reservation.wallet}`;
  await client.set(key, 'another', { PX: 60_000 });
  const countCommands = await monitor(t);
  const reserved = ledger.reserve(reservation);
  await until(async () => (await countCommands(`"SET" "${key}"`)) >= 2);
  t.is(await client.get(key), 'another');
  await client.del(key);
  t.like(await reserved, { state: 'reserved' });
  t.is(await client.exists(key), 0);
});

test('a reserve of a wallet that nobody has locked is one call and takes no lock', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const reservation = newReservation();
  const countCommands = await monitor(t);
  await ledger.reserve(reservation);
  t.is(await countCommands(`"SET" "tollhouse:{${network}}:lock:`), 0);
  t.is(await countCommands(`"${functionName(LEDGER_LIBRARY, 'lock')}" "1" "tollhouse:{${network}}:"`), 0);
  t.is(await countCommands(`"${functionName(LEDGER_LIBRARY, 'reserve')}" "1" "tollhouse:{${network}}:"`), 1);
});

/** Calls `reserve` of the library once. */
async function reserveOnce(
  client: Awaited<ReturnType<typeof connect>>,
  { network, epoch, token }: { readonly network: string; readonly epoch: string; readonly token: string },
  { reservationId, wallet, nonce, expirationTimeMs, deadlineMs }: Reservation,
): Promise<unknown> {
  const subject = [reservationId, wallet, nonce, 'geocode', 14_000, expirationTimeMs, deadlineMs];
  const args = [epoch, 0, '', 50_000, 5_000_000, 0, 5, ...subject, token, ''].map(String);
  const keys = [`tollhouse:{${network}}:`];
  return client.fCall(functionName(LEDGER_LIBRARY, 'reserve'), { keys, arguments: args });
}

test('a reserve that lost its lock, or has none of a locked wallet, is refused and burns no nonce', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const readiness = ledger.ready();
  if (!readiness.ok) return t.fail(readiness.reason);
  const { epoch } = readiness.position;
  const reservation = newReservation();
  const client = await connect(t);
  const lost = await reserveOnce(client, { network, epoch, token: randomUUID() }, reservation);
  t.deepEqual(lost, ['done', '0', 'lock_lost', '50000']);
  const key = `tollhouse:{${network}}:lock:${reservation.wallet}`;
  await client.set(key, 'another', { PX: 60_000 });
  const locked = await reserveOnce(client, { network, epoch, token: '' }, reservation);
  t.deepEqual(locked, ['done', '0', 'locked', '50000']);
  t.is(await client.get(key), 'another');
  await client.del(key);
  const { wallet, nonce } = reservation;
  t.is((await ledger.reserve(newReservation({ wallet, nonce }))).state, 'reserved');
});
