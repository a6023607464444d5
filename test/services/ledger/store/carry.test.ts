import test, { type ExecutionContext } from 'ava';
import { NIL, v7 as uuidv7 } from 'uuid';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { carryEntries, dropEntries, makePartitions } from '../../../../services/ledger/store/partitions.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { until } from '../../../kit/until.ts';
import { newWallet, throwsUnavailable } from '../fixture.ts';
import { paidCall, spend } from './ledger-steps.ts';
import { newAnswer, newTrial, type OpenLedger, openOwnLedger, openTrialLedger } from './store-fixture.ts';

const OLD_MS = Date.UTC(2030, 0, 31, 23, 59);
/** The first moment at which January is no longer kept, with one month kept. */
const LATER_MS = Date.UTC(2030, 2, 1);
const MINUTE_MS = 60_000;
const END_OF_SERVER = `
  CREATE FUNCTION end_server() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid());
    RETURN NEW;
  END $$;
  CREATE TRIGGER end_server AFTER UPDATE ON ledger.trial_day FOR EACH ROW EXECUTE FUNCTION end_server()`;
const never = new AbortController().signal;

/** The clock of the server decides, because the caller's is not earlier. */
const keptOf = ({ pool }: OpenLedger, callerMs = Date.UTC(2040, 0, 1)) => ({
  pool,
  monthsKept: 1,
  clockMs: () => callerMs,
});
/** Drops what is not kept. It gives up while others use the tables. */
const drop = (ledger: OpenLedger) => until(() => dropEntries(keptOf(ledger), never).then(() => true));

/** A ledger of its own database, because what is dropped is dropped for all networks. */
async function openOwn(t: ExecutionContext, terms = {}) {
  const { database, ledger } = await openOwnLedger(t, { terms });
  await ledger.setClock(OLD_MS);
  const other = openTrialLedger(t, database, { terms, network: ledger.network });
  return { ledger, url: database.url, other };
}

/** Reserves and posts trials of each wallet, a few of them, with ids around the end of the month. */
async function postTrials(ledger: OpenLedger, wallets: readonly string[]): Promise<void> {
  const trials = wallets.flatMap((wallet, at) =>
    [0, 1, 2].map((n) => newTrial({ wallet, amountMicroUsd: 1000n, nowMs: OLD_MS + ((at + n) % 3) * MINUTE_MS })),
  );
  await Promise.all(trials.map(ledger.reserve));
  await Promise.all(trials.map((trial) => ledger.post(newAnswer(trial))));
}

const listMonths = async (ledger: OpenLedger) => {
  const rows = await ledger.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger.entry'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => String(name).replace('ledger.entry_', ''));
};
const oldMonths = async (ledger: OpenLedger) => (await listMonths(ledger)).filter((name) => name.startsWith('2030'));

const violationsOf = async (ledger: OpenLedger) => (await ledger.audit()).violations;
const countOf = async (ledger: OpenLedger, table = 'entry') =>
  (await ledger.query(`SELECT FROM ledger.${table}`)).length;
const spentOf = async (ledger: OpenLedger, wallet: string) =>
  (await inspectLedger(ledger).wallet(wallet))?.spentMicroUsd;

test('months that are no longer kept are dropped, and accounts keep their sums', async (t) => {
  const { ledger } = await openOwn(t);
  const wallets = Array.from({ length: 5 }, newWallet);
  await postTrials(ledger, wallets);
  const [open, voided] = [newTrial({ wallet: defined(wallets[0]), nowMs: OLD_MS }), newTrial({ nowMs: OLD_MS })];
  await Promise.all([open, voided].map(ledger.reserve));
  await ledger.void(voided.reservationId, 'cancelled');

  await ledger.setClock(LATER_MS - 1);
  await drop(ledger);
  t.true((await oldMonths(ledger)).includes('203001'));
  t.is(await countOf(ledger), 15);

  await ledger.setClock(LATER_MS);
  await drop(ledger);
  // The month stays for the open reservation.
  t.true((await oldMonths(ledger)).includes('203001'));
  t.deepEqual(await violationsOf(ledger), []);
  await ledger.sweep({ graceMs: 0, limit: 10 });
  await drop(ledger);
  t.false((await oldMonths(ledger)).includes('203001'));
  t.true((await oldMonths(ledger)).includes('203002'));
  for (const wallet of wallets) {
    t.like(await inspectLedger(ledger).wallet(wallet), { balanceMicroUsd: 47_000n, spentMicroUsd: 3000n });
  }
  // Entries of January's last day whose ids are of February.
  t.deepEqual(await ledger.query('SELECT DISTINCT day FROM ledger.entry'), [{ day: '2030-01-31' }]);
  t.deepEqual(await ledger.audit(), { wallets: 6, channels: 0, pending: 0, violations: [] });
  // The day stays with them, and goes with them.
  t.deepEqual(await ledger.query('SELECT DISTINCT day FROM ledger.trial_day'), [{ day: '2030-01-31' }]);
  await ledger.setClock(Date.UTC(2030, 3, 1));
  await drop(ledger);
  t.is(await countOf(ledger), 0);
  t.is(await countOf(ledger, 'trial_day'), 0);
  t.deepEqual(await violationsOf(ledger), []);
});

test('the books are exact after every batch, and a run continues what another one left', async (t) => {
  const { ledger } = await openOwn(t);
  const wallets = Array.from({ length: 4 }, newWallet);
  await postTrials(ledger, wallets);
  await ledger.setClock(Date.UTC(2030, 4, 1));
  const kept = keptOf(ledger);
  let after: string = NIL;
  for (let batch = 1; batch <= 3; batch += 1) {
    after = String(await carryEntries(kept, after, 2));
    t.is(await countOf(ledger), 12 - 2 * batch);
    t.deepEqual(await violationsOf(ledger), []);
    for (const wallet of wallets) t.is(await spentOf(ledger, wallet), 3000n);
  }
  await dropEntries(kept, AbortSignal.abort());
  t.true((await oldMonths(ledger)).includes('203001'));
  await drop(ledger);
  t.is(await countOf(ledger), 0);
  for (const wallet of wallets) t.is(await spentOf(ledger, wallet), 3000n);
  t.deepEqual(await violationsOf(ledger), []);
});

test('a server that ends a batch half-way has done nothing of it', async (t) => {
  const { ledger, url } = await openOwn(t);
  const wallet = newWallet();
  await postTrials(ledger, [wallet]);
  await ledger.setClock(Date.UTC(2030, 4, 1));
  const kept = keptOf(ledger);
  // The batch has deleted its entries when it changes the day.
  await connected(adminUrlOf(url), (admin) => admin.query(END_OF_SERVER));
  await throwsUnavailable(t, dropEntries(kept, never), 'uncertain');
  await connected(adminUrlOf(url), (admin) => admin.query('DROP FUNCTION end_server CASCADE'));
  t.is(await countOf(ledger), 3);
  t.deepEqual(await violationsOf(ledger), []);
  await drop(ledger);
  t.like(await inspectLedger(ledger).wallet(wallet), { balanceMicroUsd: 47_000n, spentMicroUsd: 3000n });
  t.deepEqual(await violationsOf(ledger), []);
});

test('two copies carry under live traffic and audits, and nothing deadlocks or is counted twice', async (t) => {
  const terms = { grantMicroUsd: 10_000_000n, dailyBudgetMicroUsd: 1_000_000_000n };
  const { ledger, other } = await openOwn(t, terms);
  const wallets = Array.from({ length: 20 }, newWallet);
  for (let round = 0; round < 5; round += 1) await postTrials(ledger, wallets);
  const nowMs = Date.UTC(2030, 4, 1);
  await ledger.setClock(nowMs);
  let [isDone, posted] = [false, 0];
  const traffic = Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      for (let n = at; !isDone; n += 1) {
        const trial = newTrial({ wallet: defined(wallets[(n * 7) % 20]), amountMicroUsd: 1n, nowMs });
        t.is((await ledger.reserve(trial)).state, 'reserved');
        if (n % 3 === 0) t.is((await ledger.void(trial.reservationId, 'cancelled')).state, 'voided');
        else t.is((await ledger.post(newAnswer(trial))).state, 'posted');
        posted += n % 3 === 0 ? 0 : 1;
      }
    }),
  );
  const carryAll = async (each: OpenLedger) => {
    const kept = keptOf(each);
    for (let after: string | null = NIL; after !== null; ) {
      const from: string = after;
      const { last } = await until(async () => ({ last: await carryEntries(kept, from, 3) }));
      after = last;
    }
  };
  const carrying = Promise.all([ledger, other].map(carryAll)).then(() => true);
  for (let isCarried = false; !isCarried; ) {
    t.deepEqual(await violationsOf(other), []);
    isCarried = await Promise.race([carrying, Promise.resolve(false)]);
  }
  const before = posted;
  await until(() => posted > before);
  isDone = true;
  await traffic;
  await Promise.all([ledger, other].map(drop));
  t.false((await oldMonths(ledger)).some((name) => name < '203004'));
  const balances = await Promise.all(wallets.map(ledger.balance));
  t.is(
    balances.reduce((sum, balance) => sum + terms.grantMicroUsd - balance, 0n),
    300_000n + BigInt(posted),
  );
  t.deepEqual(await ledger.audit(), { wallets: 20, channels: 0, pending: 0, violations: [] });
  const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  t.deepEqual(await ledger.query(deadlocks), [{ deadlocks: 0n }]);
});

test('kept entries cannot be changed, and an entry without an account is not carried', async (t) => {
  const { ledger, other, url } = await openOwn(t);
  for (const each of [ledger, other]) each.notAudited();
  const wallet = newWallet();
  await postTrials(ledger, [wallet]);
  const kept = keptOf(ledger);
  await drop(ledger);
  await t.throwsAsync(ledger.query('DELETE FROM ledger.entry'), { code: '23000' });
  await ledger.setClock(Date.UTC(2030, 4, 1));
  await connected(adminUrlOf(url), (admin) => admin.query('DELETE FROM ledger.wallet WHERE address = $1', [wallet]));
  await throwsUnavailable(t, dropEntries(kept, never), 'refused');
  t.is(await countOf(ledger), 3);
  await throwsUnavailable(t, dropEntries({ ...kept, monthsKept: 0 }, never), 'refused');
});

test('a month goes without its entries only, and an open reservation of a later month does not keep it', async (t) => {
  const { ledger } = await openOwn(t);
  await postTrials(ledger, [newWallet()]);
  await ledger.setClock(LATER_MS);
  await ledger.reserve(newTrial({ nowMs: LATER_MS }));
  const dropMonths = `SELECT ${LEDGER_FUNCTIONS}.drop_entry_partitions(1, ledger.clock())`;
  await until(() => ledger.query(dropMonths).then(() => true));
  t.deepEqual(await oldMonths(ledger), ['203001', '203002', '203003', '203004']);
  await drop(ledger);
  t.deepEqual(await oldMonths(ledger), ['203002', '203003', '203004']);
});

test('a day goes when it is not kept and its own network uses nothing of it', async (t) => {
  const { ledger } = await openOwn(t);
  for (const nowMs of [OLD_MS, LATER_MS]) {
    await ledger.setClock(nowMs);
    const trial = newTrial({ nowMs });
    await ledger.reserve(trial);
    await ledger.void(trial.reservationId, 'cancelled');
  }
  await ledger.query(
    "INSERT INTO ledger.trial_day (network, day, part, used, budget) VALUES ('eip155:1', '2030-01-31', 0, 1, 1)",
  );
  await drop(ledger);
  t.deepEqual(await ledger.query('SELECT network, day FROM ledger.trial_day ORDER BY day'), [
    { network: 'eip155:1', day: '2030-01-31' },
    { network: ledger.network, day: '2030-03-01' },
  ]);
});

test('the earlier of two clocks decides what is no longer kept', async (t) => {
  const { ledger } = await openOwn(t, { grantsPerScope: 5 });
  await spend(ledger, newTrial({ amountMicroUsd: 1000n, nowMs: OLD_MS, grantScope: '192.0.2.0/24' }));
  for (const [serverMs, callerMs, left] of [
    [LATER_MS, OLD_MS, 1],
    [OLD_MS, LATER_MS, 1],
    [LATER_MS, LATER_MS, 0],
  ] as const) {
    await ledger.setClock(serverMs);
    await dropEntries(keptOf(ledger, callerMs), never);
    t.deepEqual([await countOf(ledger), await countOf(ledger, 'grant_scope')], [left, left]);
  }
});

test('after a clock that was ahead, the ledger goes on with what was carried', async (t) => {
  const { ledger } = await openOwn(t);
  const wallet = newWallet();
  await postTrials(ledger, [wallet]);
  await ledger.setClock(Date.UTC(2030, 4, 1));
  await drop(ledger);
  await ledger.setClock(OLD_MS);
  await makePartitions(ledger.pool);
  await spend(ledger, newTrial({ wallet, amountMicroUsd: 1000n, nowMs: OLD_MS }));
  t.is(await ledger.balance(wallet), 46_000n);
  t.deepEqual(await violationsOf(ledger), []);
});

test('grants by networks of clients are deleted after yesterday', async (t) => {
  const { ledger } = await openOwn(t, { grantsPerScope: 5 });
  await ledger.reserve(newTrial({ nowMs: OLD_MS, grantScope: '192.0.2.0/24' }));
  for (const [days, left] of [
    [1, 1],
    [2, 0],
  ] as const) {
    await ledger.setClock(OLD_MS + days * 86_400_000);
    await drop(ledger);
    t.is(await countOf(ledger, 'grant_scope'), left);
  }
});

test('a channel keeps the sum of what it was charged', async (t) => {
  const { ledger } = await openOwn(t);
  const given = { reservationId: uuidv7({ msecs: OLD_MS }), deadlineMs: OLD_MS + 30_000 };
  const { channelId } = await paidCall(ledger, given);
  await ledger.setClock(LATER_MS);
  await drop(ledger);
  t.is(await countOf(ledger), 0);
  t.is((await ledger.channels([channelId]))[0]?.chargedMicroUsd, 14_000n);
  t.deepEqual(await violationsOf(ledger), []);
});
