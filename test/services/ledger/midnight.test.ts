import test from 'ava';
import { startLedgerRedis } from '../../helpers/ledger-redis.ts';
import { until } from '../../helpers/until.ts';
import { newNetwork, newReservation, openLedger } from './fixture.ts';

const DAY_MS = 86_400_000;
const PRICE = 14_000n;
const BUDGET = 50;

test('calls in flight at midnight through two gateways spend the budget of each day and no more', async (t) => {
  const redis = await startLedgerRedis();
  t.teardown(() => redis.remove());
  const midnightMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  let nowMs = midnightMs - 1;
  const now = () => nowMs;
  const shared = { ...redis, network: newNetwork(), dailyBudgetMicroUsd: PRICE * BigInt(BUDGET), now };
  const ledgers = [await openLedger(t, shared), await openLedger(t, shared)] as const;
  const times = { expirationTimeMs: midnightMs + DAY_MS, deadlineMs: midnightMs + DAY_MS };
  const reserved: string[] = [];
  const others = new Set<string>();
  /** Starts 300 reserves at once. */
  const start = () => {
    const some = Array.from({ length: 300 }, () => newReservation(times));
    return some.map(async ({ reservationId, ...rest }, at) => {
      const { state } = await ledgers[at % 2 === 0 ? 0 : 1].reserve({ reservationId, ...rest });
      if (state === 'reserved') reserved.push(reservationId);
      else others.add(state);
    });
  };
  const before = start();
  // The day ends while calls are in flight and its budget is spent. A call that arrives late does not set the day back.
  await until(() => reserved.length === BUDGET);
  nowMs = midnightMs;
  await Promise.all([...before, ...start()]);

  t.is(reserved.length, 2 * BUDGET);
  t.deepEqual([...others], ['daily_budget_exhausted']);
  const ends = await Promise.all(reserved.map((reservationId) => ledgers[0].post(reservationId)));
  t.true(ends.every(({ state }) => state === 'posted'));
  const { violations, pending, wallets } = await ledgers[1].audit();
  t.deepEqual({ violations, pending, wallets }, { violations: [], pending: 0, wallets: 2 * BUDGET });
});
