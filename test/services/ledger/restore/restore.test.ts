import test from 'ava';
import { auditStores } from '../../../../services/ledger/restore/audit-copy.ts';
import { RestoreRefusedError } from '../../../../services/ledger/restore/prepare.ts';
import { planRestore, restoreLedger } from '../../../../services/ledger/restore/restore.ts';
import { readLedgerStatus } from '../../../../services/ledger/restore/status.ts';
import type { RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { readCopyHead } from '../../../../services/store/ledger-copy.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { until } from '../../../helpers/until.ts';
import { newReservation, newWallet } from '../fixture.ts';
import { type Harness, openHarness, startServers } from './harness.ts';

const servers = await startServers();
test.after.always(() => servers.stop());

const BY = { operator: 'ops', reason: 'a drill', releaseLostTail: false, isDatabaseRestored: false };

/** Waits until the running ledger notices what was done to Redis. */
const untilClosed = ({ ledger }: Harness) => until(() => !ledger.ready().ok);
const untilOpen = ({ ledger }: Harness) => until(() => ledger.ready().ok);

async function assertSound(t: Parameters<typeof openHarness>[0], harness: Harness): Promise<void> {
  await harness.copy();
  t.deepEqual((await auditStores(harness.stores)).violations, []);
  t.is((await readLedgerStatus(harness.stores)).closedBecause, undefined);
}

test('a lost ledger is rebuilt, and running processes open it without a restart', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores, network } = harness;
  const charged = await harness.charge();
  const failed = newReservation();
  await harness.reserve(failed);
  await ledger.void(failed.reservationId, 'caller_failed');
  const [retained, open] = [newReservation(), newReservation()];
  await harness.retain(retained, await harness.reserve(retained));
  await harness.reserve(open);
  await harness.copy();
  await harness.lose();
  await untilClosed(harness);
  t.like(await planRestore(stores, BY), { condition: 'lost', posted: 1, voided: 1, missing: 0n, epoch: undefined });
  t.false(ledger.ready().ok);

  await restoreLedger(stores, BY);
  await untilOpen(harness);
  t.is(await ledger.balance(charged.wallet), 36_000n);
  t.is(await ledger.balance(retained.wallet), 36_000n);
  t.is(await ledger.balance(failed.wallet), 50_000n);
  t.is(await ledger.balance(open.wallet), 50_000n);
  t.is((await ledger.budget()).remainingMicroUsd, 5_000_000n - 28_000n);
  // A process that still had the reservation open learns how it was resolved.
  t.like(await ledger.post(open.reservationId), { state: 'voided', balanceMicroUsd: 50_000n });
  t.like(await ledger.post(retained.reservationId), { state: 'posted', balanceMicroUsd: 36_000n });
  await assertSound(t, harness);
  const [act] = await listActs(servers.database, { subject: network, limit: 1 });
  t.like(act, { operator: 'ops', action: 'ledger.restore', reason: 'a drill' });
});

test('after a restore no nonce is used again and no wallet gets a second grant', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores } = harness;
  const charged = await harness.charge();
  const unknown = newReservation();
  await harness.copy();
  // This reservation is lost without a trace.
  await harness.reserve(unknown);
  await harness.lose();
  await untilClosed(harness);
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  const { nonce, wallet } = charged;
  t.is((await ledger.reserve(newReservation({ nonce, wallet }))).state, 'nonce_replayed');
  const { reservationId } = newReservation();
  t.is((await ledger.reserve({ ...unknown, reservationId })).state, 'expired');
  const later = { wallet, expirationTimeMs: Date.now() + 310_000, amountMicroUsd: 36_000n };
  t.like(await ledger.reserve(newReservation(later)), { state: 'reserved', balanceMicroUsd: 0n });
  t.is((await ledger.reserve(newReservation({ ...later, amountMicroUsd: 1n }))).state, 'insufficient_balance');
  await assertSound(t, harness);
});

test('a retained trial whose entries were lost is charged', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores } = harness;
  const before = await harness.charge();
  await harness.copy();
  const again = await harness.charge({ wallet: before.wallet, amountMicroUsd: 3000n });
  const stranger = await harness.charge();
  await harness.lose();
  await untilClosed(harness);
  const plan = await planRestore(stores, BY);
  t.deepEqual(
    plan.charged.map(({ reservationId, wallet, amount }) => [reservationId, wallet, amount]),
    [
      [again.reservationId, before.wallet, 3000n],
      [stranger.reservationId, stranger.wallet, 14_000n],
    ],
  );
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  t.is(await ledger.balance(before.wallet), 33_000n);
  t.is(await ledger.balance(stranger.wallet), 36_000n);
  await assertSound(t, harness);
});

test('lost entries without a retained result are released only if the operator says so', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores } = harness;
  const kept = await harness.charge();
  await harness.copy();
  const lost = newReservation({ wallet: kept.wallet });
  await harness.reserve(lost);
  await ledger.check();
  await harness.lose();
  await untilClosed(harness);
  const refused = await t.throwsAsync(restoreLedger(stores, BY), { instanceOf: RestoreRefusedError });
  t.regex(refused.message, /^1 lost entries .* at most 50000 micro-USD.*--release-lost-tail$/);
  t.false(ledger.ready().ok);
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  t.is(await ledger.balance(kept.wallet), 36_000n);
  t.is((await ledger.post(lost.reservationId)).state, 'unknown');
  await assertSound(t, harness);
});

test('a trial of the ended epoch is not retained after a restore', async (t) => {
  const harness = await openHarness(t, servers);
  const late = newReservation();
  const position = await harness.reserve(late);
  await harness.copy();
  await harness.lose();
  await untilClosed(harness);
  await restoreLedger(harness.stores, BY);
  await t.throwsAsync(harness.retain(late, position), { name: 'OutdatedTrialError' });
  await untilOpen(harness);
  t.like(await harness.ledger.void(late.reservationId, 'retain_failed'), { balanceMicroUsd: 50_000n });
});

test('a rolled-back ledger keeps the entries that only Redis has', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores } = harness;
  await harness.charge();
  await harness.copy();
  const uncopied = await harness.charge();
  const rollBack = await harness.snapshot();
  const lost = await harness.charge();
  await rollBack();
  await untilClosed(harness);
  t.like(await planRestore(stores, BY), { condition: 'rolled back', uncopied: 2 });
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  for (const { wallet } of [uncopied, lost]) t.is(await ledger.balance(wallet), 36_000n);
  await assertSound(t, harness);
});

test('a ledger is restored again after it was lost again, also from a backup of an earlier epoch', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores } = harness;
  const first = await harness.charge();
  await harness.copy();
  // The second charge is not copied. The restore charges it again, under other sequences.
  const second = await harness.charge();
  const rollBack = await harness.snapshot();
  await harness.lose();
  await untilClosed(harness);
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  const third = await harness.charge({ expirationTimeMs: Date.now() + 310_000 });
  await rollBack();
  await untilClosed(harness);
  t.like(await planRestore(stores, BY), { condition: 'rolled back', uncopied: 0 });
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  for (const { wallet } of [first, second, third]) t.is(await ledger.balance(wallet), 36_000n);
  await assertSound(t, harness);
});

test('a healthy ledger, one without a record and another ledger are not restored', async (t) => {
  const harness = await openHarness(t, servers);
  const { stores, prefix } = harness;
  await harness.charge();
  await harness.copy();
  await t.throwsAsync(restoreLedger(stores, BY), { message: /healthy/ });
  await t.throwsAsync(restoreLedger({ ...stores, network: 'eip155:1' }, BY), { message: /no ledger/ });
  await servers.client.set(`${prefix}meta`, 'another|2|0|0');
  await servers.client.xDel(`${prefix}journal`, '1-0');
  await t.throwsAsync(restoreLedger(stores, BY), { message: /differs from its copy at entry 2/ });
});

test('after a restore of the database, a ledger that is ahead of it keeps every entry in a new epoch', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores, prefix } = harness;
  const copied = await harness.charge();
  await harness.copy();
  const ahead = await harness.charge();
  const [open, old] = [newReservation(), newReservation()];
  await harness.reserve(open);
  // The database lost the record of an earlier restore, so it does not know the epoch in Redis.
  const [, ...figures] = String(await servers.client.get(`${prefix}meta`)).split('|');
  await servers.client.set(`${prefix}meta`, ['unknown', ...figures].join('|'));
  await untilClosed(harness);
  await t.throwsAsync(restoreLedger(stores, BY), { message: /of another ledger/ });

  const restored = { ...BY, isDatabaseRestored: true };
  t.like(await planRestore(stores, restored), { condition: 'complete', uncopied: 3, missing: 0n, voided: 1 });
  await restoreLedger(stores, restored);
  await untilOpen(harness);
  for (const { wallet } of [copied, ahead]) t.is(await ledger.balance(wallet), 36_000n);
  t.is(await ledger.balance(open.wallet), 50_000n);
  // A proof that was used after the backup may be lost with it, so no older proof is accepted.
  t.is((await ledger.reserve(old)).state, 'expired');
  await assertSound(t, harness);
});

test('the journal of another ledger in Redis is not overwritten', async (t) => {
  const harness = await openHarness(t, servers);
  await harness.charge();
  await harness.copy();
  await servers.client.set(`${harness.prefix}meta`, 'another|9|0|0');
  await servers.client.xAdd(`${harness.prefix}journal`, '9-0', { entry: 'tombstone|x|swept|0' });
  await t.throwsAsync(restoreLedger(harness.stores, BY), { message: /of another ledger/ });
  const restored = { ...BY, isDatabaseRestored: true };
  await servers.client.xTrim(`${harness.prefix}journal`, 'MINID', '9-0');
  await t.throwsAsync(restoreLedger(harness.stores, restored), { message: /of another ledger/ });
});

test('a copy with a gap is not restored', async (t) => {
  const harness = await openHarness(t, servers);
  const { stores, network } = harness;
  await harness.charge();
  const epoch = 'gap';
  await servers.database.insertInto('ledger_epoch').values({ network, generation: 1, epoch, base: 0n }).execute();
  const entry = 'tombstone|x|swept|0';
  for (const sequence of [1n, 3n])
    await servers.database.insertInto('ledger_entry').values({ network, epoch, sequence, entry }).execute();
  await harness.lose();
  await untilClosed(harness);
  await t.throwsAsync(restoreLedger(stores, BY), { message: /entry 3: follows entry 1$/ });
});

test('retained trials of an earlier release, which do not name their wallet, need a decision', async (t) => {
  const harness = await openHarness(t, servers);
  const { stores, ledger } = harness;
  const kept = await harness.charge();
  await harness.copy();
  const old = newReservation();
  const position = await harness.reserve(old);
  await harness.retain(old, position, { withoutTrial: true });
  await harness.lose();
  await untilClosed(harness);
  t.like(await planRestore(stores, BY), { unattributed: [old.reservationId], charged: [] });
  await t.throwsAsync(restoreLedger(stores, BY), { message: /1 retained trials do not name their wallet/ });
  await restoreLedger(stores, { ...BY, releaseLostTail: true });
  await untilOpen(harness);
  t.is(await ledger.balance(kept.wallet), 36_000n);
  t.is(await ledger.balance(old.wallet), 50_000n);
});

test('a restore that another one overtook writes nothing', async (t) => {
  const harness = await openHarness(t, servers);
  const { stores, ledger } = harness;
  const charged = await harness.charge();
  await harness.copy();
  await harness.lose();
  await untilClosed(harness);
  // The first script closes the ledger. The other restore runs when this one has recorded its epoch and begins to write.
  let scripts = 0;
  let overtaken: Promise<unknown> | undefined;
  const client = new Proxy(stores.client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        if (name === 'eval') scripts += 1;
        if (name !== 'eval' || scripts === 1) return Reflect.apply(value, target, args);
        overtaken ??= restoreLedger(stores, BY);
        return overtaken.then(() => Reflect.apply(value, target, args));
      };
    },
  });
  await t.throwsAsync(restoreLedger({ ...stores, client }, BY), { message: /another process changed the ledger/ });
  await untilOpen(harness);
  t.is(await ledger.balance(charged.wallet), 36_000n);
  await assertSound(t, harness);
});

/** A client whose command number `failing` fails, as if the process ended there. */
function failingAt(client: RedisClient, failing: number): RedisClient {
  let calls = 0;
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        calls += 1;
        if (calls === failing) throw new Error('crashed');
        return Reflect.apply(value, target, args);
      };
    },
  });
}

test('a restore that ends at any command leaves a closed ledger, and another run completes it', async (t) => {
  const harness = await openHarness(t, servers);
  const { stores, ledger } = harness;
  const charged = await harness.charge();
  const open = newReservation();
  await harness.reserve(open);
  await harness.copy();
  const lost = await harness.charge();
  await harness.lose();
  await untilClosed(harness);
  let failing = 0;
  for (;;) {
    failing += 1;
    const failed = await restoreLedger(
      { ...stores, client: failingAt(stores.client, failing) },
      { ...BY, releaseLostTail: true },
    ).catch((error: Error) => error);
    if (!(failed instanceof Error)) break;
    t.is(failed.message, 'crashed', `command ${failing}`);
    t.false((await ledger.check()).ok, `command ${failing}`);
  }
  t.true(failing > 20, `the restore sent ${failing} commands`);
  await untilOpen(harness);
  t.is(await ledger.balance(charged.wallet), 36_000n);
  t.is(await ledger.balance(lost.wallet), 36_000n);
  t.is(await ledger.balance(open.wallet), 50_000n);
  await assertSound(t, harness);
});

test('several copiers copy each entry once, and a changed copy is refused', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores, network } = harness;
  for (let count = 0; count < 20; count += 1) await ledger.void(newReservation().reservationId, 'swept');
  await Promise.all([harness.copy(), harness.copy(), harness.copy()]);
  t.is((await readCopyHead(servers.database, network))?.sequence, 20n);
  t.is((await auditStores(stores)).compared, 20);
  const row = servers.database.deleteFrom('ledger_entry').where('network', '=', network);
  await t.throwsAsync(row.execute(), { message: /never changed or deleted/ });
});

test('a backlog of several batches is copied, and the lag is measured', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, stores } = harness;
  await Promise.all(Array.from({ length: 2500 }, () => ledger.void(newReservation().reservationId, 'swept')));
  t.like(await readLedgerStatus(stores), { copiedSequence: 0n, lagEntries: 2500n });
  await harness.copy();
  t.like(await readLedgerStatus(stores), { copiedSequence: 2500n, lagEntries: 0n, lagMs: 0, closedBecause: undefined });
});

test('the copier stops when Redis lost entries, and keeps what it has', async (t) => {
  const harness = await openHarness(t, servers);
  await harness.charge();
  const rollBack = await harness.snapshot();
  await harness.charge();
  await harness.copy();
  await rollBack();
  await t.throwsAsync(harness.copy(), { message: /lost the journal from entry 4/ });
  t.is((await readCopyHead(servers.database, harness.network))?.sequence, 4n);
  t.regex(
    String((await readLedgerStatus(harness.stores)).closedBecause),
    /rolled back: it has entry 2, it had entry 4/,
  );
});

test('an audit names what differs between Redis, its journal and the copy', async (t) => {
  const harness = await openHarness(t, servers);
  const { prefix, stores } = harness;
  const { client } = servers;
  const [charged, open] = [await harness.charge(), newReservation()];
  await harness.reserve(open);
  await harness.copy();
  await client.zRem(`${prefix}pending`, open.reservationId);
  await client.set(`${prefix}reservation:${charged.reservationId}`, 'pending|||0||0|');
  await client.del(`${prefix}nonce:${open.nonce}`);
  const stranger = newWallet();
  await client.set(`${prefix}wallet:${stranger}`, '50000|0|0|0|');
  await client.xDel(`${prefix}journal`, '2-0');
  const { violations } = await auditStores(stores);
  const subjects = new Set(violations.map(({ subject }) => subject));
  for (const subject of [
    `pending:${open.reservationId}`,
    `reservation:${charged.reservationId}`,
    `nonce:${open.nonce}`,
    `wallet:${stranger}`,
    'entry 2',
  ]) {
    t.true(subjects.has(subject), subject);
  }
});
