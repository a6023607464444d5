import test, { type ExecutionContext } from 'ava';
import { createClient } from 'redis';
import type { Ledger, LedgerPosition } from '../../../services/ledger/contract/ledger.ts';
import { startLedgerRedis } from '../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, openLedger, throwsUnavailable } from './fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

async function connect(t: ExecutionContext) {
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  return client;
}

async function assertClosed(t: ExecutionContext, ledger: Ledger, reason: RegExp): Promise<void> {
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
    await assertClosed(t, ledger, new RegExp(`not safe for money: ${name} is ${unsafe}`));
    await client.configSet(name, safe);
    t.true((await ledger.check()).ok);
  });
}

test.serial('trials stop on a replica, and a refused reserve burns no nonce', async (t) => {
  const ledger = await openLedger(t, redis);
  const client = await connect(t);
  await client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
  const reservation = newReservation();
  await throwsUnavailable(t, ledger.reserve(reservation), 'refused');
  await assertClosed(t, ledger, /it is a replica/);
  await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  t.true((await ledger.check()).ok);
  t.is((await ledger.reserve(reservation)).state, 'reserved');
});

test.serial('a Redis that forbids CONFIG is used only if the operator vouches for its durability', async (t) => {
  const client = await connect(t);
  await client.aclSetUser('default', '-config');
  t.teardown(() => client.aclSetUser('default', '+config'));
  await assertClosed(t, await openLedger(t, redis), /nobody vouches/);
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
  await assertClosed(t, ledger, /OOM/);
  t.is((await ledger.post(posted.reservationId)).state, 'posted');
  t.is((await ledger.void(voided.reservationId, 'swept')).state, 'voided');
  await client.configSet('maxmemory', '0');
  t.true((await ledger.check()).ok);
  t.is((await ledger.reserve(refused)).state, 'reserved');
});

test.serial(
  'a process that starts while Redis has no memory resolves open reservations, and reserves nothing',
  async (t) => {
    const network = newNetwork();
    const reservation = newReservation();
    await (await openLedger(t, { ...redis, network })).reserve(reservation);
    const client = await connect(t);
    await client.configSet('maxmemory', '1');
    const ledger = await openLedger(t, { ...redis, network });
    await assertClosed(t, ledger, /OOM/);
    t.is((await ledger.post(reservation.reservationId)).state, 'posted');
    await client.configSet('maxmemory', '0');
  },
);

test.serial('the ledger loads its functions again after they were flushed', async (t) => {
  const ledger = await openLedger(t, redis);
  const client = await connect(t);
  await client.functionFlush();
  t.true((await ledger.check()).ok);
  t.is((await ledger.reserve(newReservation())).state, 'reserved');
});

test.serial('the next reserve detects that Redis was flushed under a running gateway', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const reservation = newReservation();
  await ledger.reserve(reservation);
  const client = await connect(t);
  await client.flushAll();
  await throwsUnavailable(t, ledger.reserve(newReservation()), 'rolled_back');
  await assertClosed(t, ledger, /^rolled_back/);
  await throwsUnavailable(t, ledger.post(reservation.reservationId), 'rolled_back');
});

test.serial('a ledger with another epoch than the recorded one stays closed', async (t) => {
  let known: LedgerPosition | undefined = { epoch: 'another', sequence: 0n };
  const attest = async (position: LedgerPosition) => known ?? position;
  const ledger = await openLedger(t, { ...redis, attest });
  await assertClosed(t, ledger, /^rolled_back/);
  known = undefined;
  t.true((await ledger.check()).ok);
});

test.serial('a ledger that is behind its recorded position stays closed', async (t) => {
  const attest = async ({ epoch, sequence }: LedgerPosition) => ({ epoch, sequence: sequence + 1n });
  await assertClosed(t, await openLedger(t, { ...redis, attest }), /^rolled_back/);
});

test.serial('a position that another process records during the attestation does not close the ledger', async (t) => {
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
  'without an attestation trials stop; the log has the details, and the public reason has none',
  async (t) => {
    const errors: Error[] = [];
    const attest = async () => {
      throw new Error('no answer from /tmp/run/backoffice.sock');
    };
    const ledger = await openLedger(t, { ...redis, attest, onError: (error) => errors.push(error) });
    await assertClosed(t, ledger, /^unreachable: the position of the store cannot be recorded outside Redis$/);
    t.like(errors[0]?.cause, { message: 'no answer from /tmp/run/backoffice.sock' });
  },
);
