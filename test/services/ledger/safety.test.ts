import test, { type ExecutionContext } from 'ava';
import { createClient } from 'redis';
import type { Ledger, LedgerPosition } from '../../../services/ledger/contract/ledger.ts';
import { type LedgerRedis, startLedgerRedis } from '../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, openLedger, throwsUnavailable } from './fixture.ts';

let redis: LedgerRedis;

test.before(async () => {
  redis = await startLedgerRedis();
});
test.after.always(() => redis.remove());

async function connect(t: ExecutionContext) {
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  return client;
}

async function assertShut(t: ExecutionContext, ledger: Ledger, reason: RegExp): Promise<void> {
  const readiness = await ledger.check();
  if (readiness.ok) t.fail('the ledger is open');
  else t.regex(readiness.reason, reason);
  await throwsUnavailable(t, ledger.reserve(newReservation()), 'not_ready');
}

const UNSAFE = [
  ['appendfsync', 'everysec', 'always'],
  ['appendonly', 'no', 'yes'],
  ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ['no-appendfsync-on-rewrite', 'yes', 'no'],
] as const;

for (const [name, unsafe, safe] of UNSAFE) {
  test.serial(`trials stop while ${name} is ${unsafe}`, async (t) => {
    const ledger = await openLedger(t, redis);
    const client = await connect(t);
    await client.configSet(name, unsafe);
    await assertShut(t, ledger, new RegExp(`not safe for money: ${name} is ${unsafe}`));
    await client.configSet(name, safe);
    t.true((await ledger.check()).ok);
  });
}

test.serial('trials stop on a replica, and its refusals burn nothing', async (t) => {
  const ledger = await openLedger(t, redis);
  const client = await connect(t);
  await client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
  const reservation = newReservation();
  await throwsUnavailable(t, ledger.reserve(reservation), 'refused');
  await assertShut(t, ledger, /it is a replica/);
  await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  t.true((await ledger.check()).ok);
  t.is((await ledger.reserve(reservation)).state, 'reserved');
});

test.serial('a Redis that forbids CONFIG needs somebody who vouches for it', async (t) => {
  const client = await connect(t);
  await client.aclSetUser('default', '-config');
  t.teardown(() => client.aclSetUser('default', '+config'));
  await assertShut(t, await openLedger(t, redis), /nobody vouches/);
  const vouched = await openLedger(t, { ...redis, isDurabilityVouched: true });
  t.is((await vouched.reserve(newReservation())).state, 'reserved');
});

test.serial('a full Redis refuses reservations and still resolves open ones', async (t) => {
  const ledger = await openLedger(t, redis);
  const client = await connect(t);
  const [posted, voided, refused] = [newReservation(), newReservation(), newReservation()];
  await ledger.reserve(posted);
  await ledger.reserve(voided);
  await client.configSet('maxmemory', '1');
  await throwsUnavailable(t, ledger.reserve(refused), 'refused');
  await assertShut(t, ledger, /OOM/);
  t.is((await ledger.post(posted.reservationId)).state, 'posted');
  t.is((await ledger.void(voided.reservationId, 'swept')).state, 'voided');
  await client.configSet('maxmemory', '0');
  t.true((await ledger.check()).ok);
  t.is((await ledger.reserve(refused)).state, 'reserved');
});

test.serial(
  'a process that starts while there is no memory resolves what is reserved, and reserves nothing',
  async (t) => {
    const network = newNetwork();
    const reservation = newReservation();
    await (await openLedger(t, { ...redis, network })).reserve(reservation);
    const client = await connect(t);
    await client.configSet('maxmemory', '1');
    const ledger = await openLedger(t, { ...redis, network });
    await assertShut(t, ledger, /OOM/);
    t.is((await ledger.post(reservation.reservationId)).state, 'posted');
    await client.configSet('maxmemory', '0');
  },
);

test.serial('functions that were flushed are loaded again', async (t) => {
  const ledger = await openLedger(t, redis);
  const client = await connect(t);
  await client.functionFlush();
  t.true((await ledger.check()).ok);
  t.is((await ledger.reserve(newReservation())).state, 'reserved');
});

test.serial('a ledger that was wiped under a running gateway is noticed by the next reserve', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const reservation = newReservation();
  await ledger.reserve(reservation);
  const client = await connect(t);
  await client.flushAll();
  await throwsUnavailable(t, ledger.reserve(newReservation()), 'rolled_back');
  await assertShut(t, ledger, /^rolled_back/);
  await throwsUnavailable(t, ledger.post(reservation.reservationId), 'rolled_back');
});

test.serial('a ledger that is not the one known elsewhere stays shut', async (t) => {
  let known: LedgerPosition | undefined = { epoch: 'another', sequence: 0n };
  const attest = async (position: LedgerPosition) => known ?? position;
  const ledger = await openLedger(t, { ...redis, attest });
  await assertShut(t, ledger, /^rolled_back/);
  known = undefined;
  t.true((await ledger.check()).ok);
});

test.serial('a ledger that is behind its recorded position stays closed', async (t) => {
  const attest = async ({ epoch, sequence }: LedgerPosition) => ({ epoch, sequence: sequence + 1n });
  await assertShut(t, await openLedger(t, { ...redis, attest }), /^rolled_back/);
});

test.serial('what others do and record while a position is attested does not shut the ledger', async (t) => {
  const network = newNetwork();
  const other = await openLedger(t, { ...redis, network });
  const attest = async () => {
    const outcome = await other.reserve(newReservation());
    if (outcome.state !== 'reserved') throw new Error(outcome.state);
    return outcome.position;
  };
  t.true((await openLedger(t, { ...redis, network, attest })).ready().ok);
});

test.serial(
  'while nobody can attest, trials stop; the reason for the public has no detail, the log has it',
  async (t) => {
    const errors: Error[] = [];
    const attest = async () => {
      throw new Error('no answer from /tmp/run/backoffice.sock');
    };
    const ledger = await openLedger(t, { ...redis, attest, onError: (error) => errors.push(error) });
    await assertShut(t, ledger, /^unreachable: the position of the store cannot be recorded outside Redis$/);
    t.like(errors[0]?.cause, { message: 'no answer from /tmp/run/backoffice.sock' });
  },
);
