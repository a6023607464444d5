import test from 'ava';
import { startLedgerRedis } from '../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, openLedger } from './fixture.ts';

const DAY_MS = 86_400_000;
const PRICE = 14_000n;

test('calls in flight over midnight through two gateways spend the budget of each day and no more', async (t) => {
  const redis = await startLedgerRedis();
  t.teardown(() => redis.remove());
  const midnightMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  let nowMs = midnightMs - 4;
  // It is read once for the reservations that travel together, at most 100: midnight comes amid the 600.
  const now = () => {
    nowMs += 1;
    return nowMs;
  };
  const shared = { ...redis, network: newNetwork(), dailyBudgetMicroUsd: PRICE * 50n, now };
  const ledgers = [await openLedger(t, shared), await openLedger(t, shared)] as const;
  const times = { expirationTimeMs: midnightMs + DAY_MS, deadlineMs: midnightMs + DAY_MS };
  const reservations = Array.from({ length: 600 }, () => newReservation(times));
  const outcomes = await Promise.all(reservations.map((one, at) => ledgers[at % 2 === 0 ? 0 : 1].reserve(one)));
  t.true(nowMs > midnightMs);

  const reserved = reservations.filter((_, at) => outcomes[at]?.state === 'reserved');
  t.is(reserved.length, 100);
  const others = outcomes.filter(({ state }) => state !== 'reserved');
  t.deepEqual([...new Set(others.map(({ state }) => state))], ['daily_budget_exhausted']);
  const ends = await Promise.all(reserved.map(({ reservationId }) => ledgers[0].post(reservationId)));
  t.true(ends.every(({ state }) => state === 'posted'));
  const { violations, pending, wallets } = await ledgers[1].audit();
  t.deepEqual({ violations, pending, wallets }, { violations: [], pending: 0, wallets: 100 });
});
