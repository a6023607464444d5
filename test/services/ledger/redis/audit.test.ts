import test from 'ava';
import { createClient } from 'redis';
import type { AuditViolation } from '../../../../services/ledger/contract/ledger.ts';
import { createReplay } from '../../../../services/ledger/redis/journal-replay.ts';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, newWallet, openLedger } from '../fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

async function openTampered(t: Parameters<typeof openLedger>[0]) {
  const network = newNetwork();
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  return { client, prefix: `tollhouse:{${network}}:`, ledger: await openLedger(t, { ...redis, network }) };
}

function entry(given: Record<string, string>): string {
  const fields = {
    id: 'a',
    wallet: '0xa',
    nonce: 'n',
    amount: '14000',
    operation: 'geocode',
    day: '20000',
    budget: '5000000',
  };
  return ['reserve', ...Object.values({ ...fields, grant: '50000', at: '1728000000000', ...given })].join('|');
}

function violationsOf(entries: readonly string[]): readonly AuditViolation['invariant'][] {
  const replay = createReplay();
  for (const [at, given] of entries.entries()) replay.apply(BigInt(at + 1), given);
  return replay.violations.map(({ invariant }) => invariant);
}

test('an audit counts the wallets and reservations of the journal', async (t) => {
  const { ledger } = await openTampered(t);
  const [posted, pending] = [newReservation(), newReservation()];
  for (const reservation of [posted, pending]) await ledger.reserve(reservation);
  await ledger.post(posted.reservationId);
  const { position, ...report } = await ledger.audit();
  t.deepEqual(report, { wallets: 2, pending: 1, violations: [] });
  t.is(position.sequence, 3n);
});

test('a journal longer than one page is replayed to its end', async (t) => {
  const { ledger, client, prefix } = await openTampered(t);
  await ledger.reserve(newReservation());
  const tombstones = client.multi();
  for (let sequence = 2; sequence <= 2500; sequence += 1)
    tombstones.xAdd(`${prefix}journal`, `${sequence}-0`, { entry: 'tombstone|x|swept|0' });
  await tombstones.exec();
  const meta = await client.get(`${prefix}meta`);
  await client.set(`${prefix}meta`, String(meta).replace('|1|', '|2500|'));
  const report = await ledger.audit();
  t.is(report.position.sequence, 2500n);
  t.deepEqual(report.violations, []);
});

test('an audit finds a balance that the journal does not account for', async (t) => {
  const { ledger, client, prefix } = await openTampered(t);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  const key = `${prefix}wallet:${reservation.wallet}`;
  await client.set(key, String(await client.get(key)).replace('36000', '46000'));
  const [violation] = (await ledger.audit()).violations;
  t.like(violation, { invariant: 'stored_as_journaled', subject: reservation.wallet });
});

test('an audit finds that a wallet is missing', async (t) => {
  const { ledger, client, prefix } = await openTampered(t);
  const reservation = newReservation({ wallet: newWallet() });
  await ledger.reserve(reservation);
  await client.del(`${prefix}wallet:${reservation.wallet}`);
  t.like((await ledger.audit()).violations[0], { subject: reservation.wallet });
});

test('an audit finds that a pending reservation is missing', async (t) => {
  const { ledger, client, prefix } = await openTampered(t);
  await ledger.reserve(newReservation());
  await client.del(`${prefix}pending`);
  t.like((await ledger.audit()).violations[0], { subject: 'totals' });
});

test('an audit finds that a journal entry is missing', async (t) => {
  const { ledger, client, prefix } = await openTampered(t);
  for (let count = 0; count < 3; count += 1) await ledger.reserve(newReservation());
  await client.xDel(`${prefix}journal`, '2-0');
  t.true((await ledger.audit()).violations.some(({ subject }) => subject === 'entry 3'));
});

test('a second grant is a violation', (t) => {
  const twice = [entry({}), entry({ id: 'b', nonce: 'm' })];
  t.deepEqual(violationsOf(twice), ['one_grant']);
});

test('spending beyond the grant is a violation', (t) => {
  t.deepEqual(violationsOf([entry({ amount: '50001' })]), ['grants_add_up']);
});

test('a day beyond its budget is a violation', (t) => {
  t.deepEqual(violationsOf([entry({ budget: '13999' })]), ['day_within_budget']);
});

test('a nonce with two reservations is a violation', (t) => {
  t.deepEqual(violationsOf([entry({}), entry({ id: 'b', grant: '0' })]), ['one_reservation_per_nonce']);
});

test('a second resolution is a violation', (t) => {
  const posted = 'post|a||0';
  t.deepEqual(violationsOf([entry({}), posted, posted]), ['one_resolution']);
});

test('an entry that cannot be read is a violation', (t) => {
  t.deepEqual(violationsOf([entry({ amount: '-1' })]), ['stored_as_journaled']);
});
