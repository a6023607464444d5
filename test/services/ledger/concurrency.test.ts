import test from 'ava';
import type { Ledger, Reservation, ReserveOutcome } from '../../../services/ledger/contract/ledger.ts';
import { LedgerUnavailableError } from '../../../services/ledger/contract/ledger.ts';
import { startLedgerRedis } from '../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, newWallet, openLedger } from './fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

/** Repeats the reserve after a lock timeout, which means that nothing was reserved. */
async function reserveUntilDecided(ledger: Ledger, reservation: Reservation): Promise<ReserveOutcome> {
  for (;;) {
    try {
      return await ledger.reserve(reservation);
    } catch (error) {
      if (!(error instanceof LedgerUnavailableError && error.code === 'lock_timeout')) throw error;
    }
  }
}

function countStates(outcomes: readonly ReserveOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

test.serial('200 concurrent reserves of one wallet through two gateways spend its grant and no more', async (t) => {
  const network = newNetwork();
  const [one, other] = [await openLedger(t, { ...redis, network }), await openLedger(t, { ...redis, network })];
  const wallet = newWallet();
  const all = Array.from({ length: 200 }, () => newReservation({ wallet }));
  const outcomes = await Promise.all(
    all.map((reservation, at) => reserveUntilDecided(at % 2 ? one : other, reservation)),
  );
  t.deepEqual(countStates(outcomes), { reserved: 3, insufficient_balance: 197 });
  t.is(await one.balance(wallet), 8000n);
  t.deepEqual((await other.audit()).violations, []);
});

test.serial('500 concurrent wallets through two gateways spend the daily budget and no more', async (t) => {
  const shared = { ...redis, network: newNetwork(), dailyBudgetMicroUsd: 14_000n * 100n + 13_999n };
  const [one, other] = [await openLedger(t, shared), await openLedger(t, shared)];
  const all = Array.from({ length: 500 }, () => newReservation());
  const outcomes = await Promise.all(
    all.map((reservation, at) => reserveUntilDecided(at % 2 ? one : other, reservation)),
  );
  t.deepEqual(countStates(outcomes), { reserved: 100, daily_budget_exhausted: 400 });
  t.is((await one.budget()).remainingMicroUsd, 13_999n);
  const audit = await other.audit();
  t.is(audit.wallets, 100);
  t.deepEqual(audit.violations, []);
});

test.serial('a reservation that two gateways request at the same time is made once', async (t) => {
  const network = newNetwork();
  const [one, other] = [await openLedger(t, { ...redis, network }), await openLedger(t, { ...redis, network })];
  const reservation = newReservation();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) => reserveUntilDecided(at % 2 ? one : other, reservation)),
  );
  t.deepEqual(countStates(outcomes), { reserved: 20 });
  t.is(await one.balance(reservation.wallet), 36_000n);
});

test.serial('a concurrent post and void resolve a reservation once, and both callers get that outcome', async (t) => {
  const network = newNetwork();
  const [one, other] = [await openLedger(t, { ...redis, network }), await openLedger(t, { ...redis, network })];
  for (let round = 0; round < 20; round += 1) {
    const reservation = newReservation();
    await one.reserve(reservation);
    const id = reservation.reservationId;
    const [posted, voided] = await Promise.all([one.post(id), other.void(id, 'swept')]);
    t.is(posted.state, voided.state);
  }
  t.deepEqual((await one.audit()).violations, []);
});

test.serial('an audit during live traffic finds no violation', async (t) => {
  const ledger = await openLedger(t, { ...redis, dailyBudgetMicroUsd: 1_000_000_000n });
  let isDone = false;
  const traffic = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isDone) {
        const reservation = newReservation();
        await ledger.reserve(reservation);
        await ledger.post(reservation.reservationId);
      }
    }),
  );
  for (let audits = 0; audits < 5; audits += 1) t.deepEqual((await ledger.audit()).violations, []);
  isDone = true;
  await traffic;
});
