import test from 'ava';
import { followJournal } from '../../../../services/backoffice/journal/copy-journal.ts';
import { inspectLedger } from '../../../../services/ledger/inspect-ledger.ts';
import { RestoreRefusedError } from '../../../../services/ledger/restore/prepare.ts';
import { planRestore } from '../../../../services/ledger/restore/restore.ts';
import { readLedgerStatus } from '../../../../services/ledger/restore/status.ts';
import { readCopyHead } from '../../../../services/store/ledger-copy.ts';
import { newReservation, newWallet, openLedger, throwsUnavailable } from '../fixture.ts';
import { type Harness, openHarness, startServers } from './harness.ts';

const REFUSAL =
  /^later_format: the data of the ledger in Redis has format 2, and this release of Tollhouse knows formats up to 1: run the later release/;

const servers = await startServers();
test.after.always(() => servers.stop());

/** Does to the ledger what a later release would do: it writes its format, and a wallet in another form. */
async function upgrade({ prefix }: Harness): Promise<void> {
  const meta = String(await servers.client.get(`${prefix}meta`));
  await servers.client.set(`${prefix}meta`, `${meta}|2|something new`);
}

/** Everything that Redis has of the ledger. */
async function contents({ prefix }: Harness): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for await (const keys of servers.client.scanIterator({ MATCH: `${prefix}*` })) {
    for (const key of keys)
      found[key] = String(await servers.client.sendCommand(['DUMP', key], { typeMapping: { 36: Buffer } }));
  }
  return found;
}

test('a ledger of a later release is refused, and nothing is written to it', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, network, stores } = harness;
  const open = newReservation();
  await harness.reserve(open);
  await upgrade(harness);
  const before = await contents(harness);

  // A process that still runs is refused by its next call.
  await throwsUnavailable(t, ledger.post(open.reservationId), 'not_ready');
  await throwsUnavailable(t, ledger.void(open.reservationId, 'swept'), 'not_ready');
  await t.throwsAsync(ledger.overdue({ graceMs: 0, limit: 1, of: 'calls' }), { message: /later_format/ });
  await t.throwsAsync(ledger.balance(newWallet()), { message: /later_format/ });
  await t.throwsAsync(inspectLedger(servers.client, network).pending(1), { message: REFUSAL });
  // A process that starts is closed and says why.
  const started = await openLedger(t, { url: servers.redisUrl, network });
  for (const each of [ledger, started]) {
    const readiness = await each.check();
    t.regex(readiness.ok ? 'open' : readiness.reason, REFUSAL);
    await throwsUnavailable(t, each.reserve(newReservation()), 'not_ready');
  }
  t.regex(String((await readLedgerStatus(stores)).closedBecause), REFUSAL);
  await t.throwsAsync(planRestore(stores, { isDatabaseRestored: false }), {
    instanceOf: RestoreRefusedError,
    message: REFUSAL,
  });
  t.deepEqual(await contents(harness), before);
});

test('the first format has no number', async (t) => {
  const { ledger, prefix } = await openHarness(t, servers);
  await ledger.reserve(newReservation());
  t.regex(String(await servers.client.get(`${prefix}meta`)), /^[^|]+\|1\|\d+\|14000$/);
});

test('an entry of an unknown kind is copied as it is, and named by audits and restores', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, network, prefix, stores } = harness;
  await harness.charge();
  const meta = String(await servers.client.get(`${prefix}meta`));
  await servers.client.xAdd(`${prefix}journal`, '3-0', { entry: 'transfer|a|b|1|1' });
  await servers.client.set(`${prefix}meta`, meta.replace('|2|', '|3|'));
  await harness.copy();
  t.is((await readCopyHead(servers.database, network))?.text, 'transfer|a|b|1|1');
  const { violations } = await ledger.audit();
  t.like(violations[0], { subject: 'entry 3', detail: 'of a kind that this release does not know: transfer|a|b|1|1' });
  await harness.lose();
  await t.throwsAsync(planRestore(stores, { isDatabaseRestored: false }), {
    instanceOf: RestoreRefusedError,
    message: /a kind that this release/,
  });
});

test('an entry with a further field is not copied without that field', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger, network, prefix } = harness;
  await harness.charge();
  await harness.copy();
  await servers.client.xAdd(`${prefix}journal`, '3-0', { entry: 'post|a||1', note: 'b' });
  const following = followJournal({ database: servers.database, ledger, network }, new AbortController().signal);
  await t.throwsAsync(following, { message: /could not be read/ });
  t.is((await readCopyHead(servers.database, network))?.sequence, 2n);
  t.true((await ledger.audit()).violations.some(({ subject }) => subject === 'entry 3'));
});
