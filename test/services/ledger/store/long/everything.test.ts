import test from 'ava';
import { createVouchers } from '../../../../../services/backoffice/channels/vouchers.ts';
import { LedgerUnavailableError } from '../../../../../services/ledger/contract/ledger.ts';
import { dropEntries, dropNonces, makePartitions } from '../../../../../services/ledger/store/partitions.ts';
import type { SealedAnswer } from '../../../../../services/ledger/store/post.ts';
import { defined } from '../../../../../workers/exact/defined.ts';
import { findStandby, loseStandby } from '../../../../kit/lost-standby.ts';
import { adminUrlOf, connected } from '../../../../kit/owned-database.ts';
import { until } from '../../../../kit/until.ts';
import { newChannel, newCharge, newHold } from '../../channel-fixture.ts';
import { newNetwork, newWallet } from '../../fixture.ts';
import { newAnswer, newTrial, openTrialLedger, startLedgerServer } from '../store-fixture.ts';

const RUN_MS = 60_000;
const ACCOUNTS = 20;
/** Calls in flight of trials, and of channels. */
const IN_FLIGHT = 128;
const DEPOSIT = 1_000_000_000n;
const OVERDUE = { graceMs: -3_600_000, limit: 20 };
const never = new AbortController().signal;

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof LedgerUnavailableError && error.code === 'refused')) throw error;
}

test('for a minute, everything at once in two copies, beside a standby that stalls, fails nothing', async (t) => {
  const { server, database, of } = await startLedgerServer(4);
  t.teardown(() => server.stop());
  const options = {
    network: newNetwork(),
    connections: 8,
    terms: { grantMicroUsd: DEPOSIT, dailyBudgetMicroUsd: 1000n * DEPOSIT, failuresPerHour: 0 },
  };
  const copies = [1, 2].map(() => openTrialLedger(t, of, options));
  const [one] = [defined(copies[0])];
  const wallets = Array.from({ length: ACCOUNTS }, newWallet);
  const channels = Array.from({ length: ACCOUNTS }, newChannel);
  for (const channel of channels) await one.show(channel, { balanceMicroUsd: DEPOSIT });
  const endMs = performance.now() + RUN_MS;
  const isOver = () => performance.now() >= endMs;
  const pick = <Item>(items: readonly Item[]): Item => defined(items[Math.floor(Math.random() * items.length)]);
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

  /** Asks again after a refusal: a second post of a trial gives up after five seconds of a stall. */
  const post = async (answer: SealedAnswer): Promise<void> => {
    await until(() =>
      pick(copies)
        .post(answer)
        .then(() => true, ignoreRefusal),
    );
  };
  const runTrial = async (): Promise<void> => {
    const trial = newTrial({ wallet: pick(wallets), amountMicroUsd: 1000n });
    const { state } = await pick(copies).reserve(trial);
    count(`trial ${state}`);
    const answer = newAnswer(trial);
    const resolve = () => (Math.random() < 0.7 ? post(answer) : pick(copies).void(trial.reservationId, 'cancelled'));
    await Promise.all(Math.random() < 0.2 ? [resolve(), resolve()] : [resolve()]);
  };
  const runCharge = async (): Promise<void> => {
    const channelId = pick(channels);
    const [account] = await pick(copies).channels([channelId]);
    const cumulativeMicroUsd = defined(account).chargedMicroUsd + 14_000n;
    const charge = newCharge({ channelId, cumulativeMicroUsd });
    const { state } = await pick(copies).charge(charge);
    count(`channel ${state}`);
    if (state !== 'reserved') return;
    await (Math.random() < 0.8 ? post(newAnswer(charge)) : pick(copies).void(charge.reservationId, 'operation_failed'));
  };
  const runRefund = async (): Promise<void> => {
    const channelId = pick(channels);
    const [account] = await pick(copies).channels([channelId]);
    const { chargedMicroUsd: cumulativeMicroUsd } = defined(account);
    const hold = newHold({ channelId, cumulativeMicroUsd, amountMicroUsd: 1n });
    const { state } = await pick(copies).holdRefund(hold);
    count(`refund ${state}`);
    if (state === 'reserved') await pick(copies).void(hold.reservationId, 'operation_failed');
  };
  const vouchers = createVouchers({ database, network: one.network });
  const runClaim = async (): Promise<void> => {
    const { at, vouchers: due } = await vouchers.due({ afterSeconds: 0, aboveMicroUsd: 1n });
    for (const { channelId, totalMicroUsd } of due)
      await one.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: totalMicroUsd });
    await vouchers.noteClaimed(
      due.map(({ channelId }) => channelId),
      at,
    );
    count('claim');
  };
  const runUpkeep = async (): Promise<void> => {
    const { pool } = pick(copies);
    for (const work of [
      makePartitions,
      () => dropNonces(pool, Date.now()),
      () => dropEntries({ pool, monthsKept: 1, clockMs: Date.now }, never),
    ]) {
      // It gives up while a table or an account is in use, and the next run is early enough.
      await work(pool).catch(ignoreRefusal);
    }
    await pick(copies).sweep(OVERDUE);
    count('upkeep');
  };
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!isOver()) await work();
  };
  const traffic = [
    ...Array.from({ length: IN_FLIGHT }, () => repeat(runTrial)),
    ...Array.from({ length: IN_FLIGHT }, () => repeat(runCharge)),
    ...[runRefund, runClaim, runUpkeep].map(repeat),
  ];
  const done = Promise.all(traffic);

  await connected(adminUrlOf(server.url), async (admin) => {
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while (!isOver()) {
      await loseStandby(server.url);
      await until(async () => (await admin.query(waiting)).rows.length > 0 || isOver());
      // No post ends before the standby is back. So these do not wait for one.
      const trials = wallets.map((wallet) => newTrial({ wallet, amountMicroUsd: 1000n }));
      const outcomes = await Promise.all(trials.map((trial) => pick(copies).reserve(trial)));
      t.true(outcomes.every(({ state }) => state === 'reserved' || state === 'voided'));
      await Promise.all(trials.map(({ reservationId }) => pick(copies).void(reservationId, 'cancelled')));
      count('stall');
      await findStandby(server.url);
      await until(async () => (await admin.query(waiting)).rows.length === 0);
    }
  });
  await done;
  await one.sweep({ ...OVERDUE, limit: 1000 });
  await database.destroy();
  t.log(Object.fromEntries([...counts].toSorted()));
  t.deepEqual(await one.audit(), { wallets: ACCOUNTS, channels: ACCOUNTS, pending: 0, violations: [] });
  t.deepEqual(await one.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'), [
    { deadlocks: 0n },
  ]);
});
