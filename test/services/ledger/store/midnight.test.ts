import test from 'ava';
import { until } from '../../../kit/until.ts';
import { newNetwork } from '../fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const PRICE = 14_000n;
const BUDGET = 50;

test('calls in flight at midnight through two gateways spend the budget of each day and no more', async (t) => {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  const midnightMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const shared = { network: newNetwork(), terms: { dailyBudgetMicroUsd: PRICE * BigInt(BUDGET) } };
  const ledgers = [openTrialLedger(t, database, shared), openTrialLedger(t, database, shared)] as const;
  await ledgers[0].setClock(midnightMs - 1);
  const reserved: string[] = [];
  const others = new Set<string>();
  /** Starts 300 reserves at once. */
  const start = () =>
    Array.from({ length: 300 }, async (_, at) => {
      const trial = newTrial({ nowMs: midnightMs });
      const { state } = await ledgers[at % 2 === 0 ? 0 : 1].reserve(trial);
      if (state === 'reserved') reserved.push(trial.reservationId);
      else others.add(state);
    });
  const before = start();
  // The day ends while calls are in flight and its budget is spent.
  await until(() => reserved.length === BUDGET);
  await ledgers[0].setClock(midnightMs);
  await Promise.all([...before, ...start()]);

  t.is(reserved.length, 2 * BUDGET);
  t.deepEqual([...others], ['daily_budget_exhausted']);
  const ends = await Promise.all(reserved.map((reservationId) => ledgers[0].post(newAnswer({ reservationId }))));
  t.true(ends.every(({ state }) => state === 'posted'));
  t.deepEqual(await ledgers[1].audit(), { violations: [], pending: 0, wallets: 2 * BUDGET, channels: 0 });
});
