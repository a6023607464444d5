import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { newChannel } from '../channel-fixture.ts';
import { newWallet } from '../fixture.ts';
import { fundedCall, spend } from './ledger-steps.ts';
import { createLedgerDatabase, newTrial, openTrialLedger } from './store-fixture.ts';

const NOON_MS = Date.UTC(2030, 8, 1, 12);
const DAY_MS = 86_400_000;
const [SCOPE, OTHER_SCOPE] = ['203.0.113.0/24', '2001:db8::/48'];

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('the balance is that of the wallet in any letter case, and the grant for a stranger', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  await ledger.reserve(trial);
  const upper = `0x${trial.wallet.slice(2).toUpperCase()}`;
  const balances = [newWallet(), newWallet(), trial.wallet, upper].map(ledger.balance);
  t.deepEqual(await Promise.all(balances), [50_000n, 50_000n, 36_000n, 36_000n]);
});

test('the rest of the budget is that of the UTC day, and never below zero', async (t) => {
  const nowMs = Date.UTC(2030, 0, 1, 23, 59, 59);
  const ledger = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 14_000n } });
  await ledger.setClock(nowMs);
  const trial = newTrial({ nowMs });
  await ledger.reserve(trial);
  t.deepEqual(await ledger.budget(), { dayUtc: '2030-01-01', remainingMicroUsd: 0n });
  const poorer = openTrialLedger(t, database, { network: ledger.network, terms: { dailyBudgetMicroUsd: 1n } });
  t.is((await poorer.budget()).remainingMicroUsd, 0n);
  await ledger.setClock(nowMs + 2000);
  t.deepEqual(await ledger.budget(), { dayUtc: '2030-01-02', remainingMicroUsd: 14_000n });
  await ledger.void(trial.reservationId, 'swept');
  t.deepEqual(await ledger.budget(), { dayUtc: '2030-01-02', remainingMicroUsd: 14_000n });
});

test('the figures have what is used of the day, and the open reservations with their sum and the oldest', async (t) => {
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(NOON_MS);
  const dayUtc = '2030-09-01';
  const none = { dayUtc, usedMicroUsd: 0n, open: 0, reservedMicroUsd: 0n, oldestAtMs: undefined };
  t.deepEqual(await ledger.figures(), none);
  const oldestAtMs = NOON_MS - 60_000;
  await spend(ledger, newTrial({ nowMs: NOON_MS }));
  for (const msecs of [NOON_MS, oldestAtMs])
    await ledger.reserve(newTrial({ nowMs: NOON_MS, reservationId: uuidv7({ msecs }) }));
  const figures = { dayUtc, usedMicroUsd: 42_000n, open: 2, reservedMicroUsd: 28_000n, oldestAtMs };
  t.deepEqual(await ledger.figures(), figures);
});

test('overdue reservations are listed with their fields, oldest first, and a sweep voids them and blames no caller', async (t) => {
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(NOON_MS);
  const at = (ms: number) => newTrial({ nowMs: NOON_MS, deadlineMs: NOON_MS + ms });
  const [late, early] = [at(2000), at(1000)];
  for (const trial of [late, early]) await ledger.reserve(trial);
  await spend(ledger, at(500));
  await ledger.setClock(NOON_MS + 10_000);
  const list = (graceMs: number, limit: number) => ledger.overdue({ graceMs, limit, of: 'calls' });
  t.deepEqual(await list(9500, 10), []);
  const [first, second] = await list(1000, 10);
  const { reservationId, wallet, deadlineMs } = early;
  t.deepEqual(first, { reservationId, wallet, operation: 'geocode', amountMicroUsd: 14_000n, deadlineMs });
  t.is(second?.reservationId, late.reservationId);
  t.is((await list(1000, 1)).length, 1);

  for (const [graceMs, limit, voided] of [
    [9500, 10, 0],
    [1000, 1, 1],
    [1000, 10, 1],
  ] as const)
    t.deepEqual(await ledger.sweep({ graceMs, limit }), { voided, busy: 0 });
  t.is(await ledger.balance(wallet), 50_000n);
  const [row] = await ledger.query('SELECT failures FROM ledger.wallet WHERE address = $1', [wallet]);
  t.deepEqual(row, { failures: [] });
});

test('what was reserved by a clock that was ahead is swept after its own time', async (t) => {
  const ledger = openTrialLedger(t, database);
  const aheadMs = NOON_MS + 3_600_000;
  await ledger.setClock(aheadMs);
  await ledger.reserve(newTrial({ nowMs: aheadMs, deadlineMs: aheadMs + 2000 }));
  const sweepAt = async (nowMs: number) => {
    await ledger.setClock(nowMs);
    return (await ledger.sweep({ graceMs: 0, limit: 10 })).voided;
  };
  const voided: number[] = [];
  for (const nowMs of [aheadMs - 1000, NOON_MS, NOON_MS + 1000, NOON_MS + 2000, NOON_MS + 2001])
    voided.push(await sweepAt(nowMs));
  t.deepEqual(voided, [0, 0, 0, 0, 1]);
});

test('an operator sees the account of a wallet and the open reservations', async (t) => {
  const ledger = openTrialLedger(t, database);
  const inspection = inspectLedger(ledger);
  await ledger.setClock(NOON_MS);
  const wallet = newWallet();
  t.is(await inspection.wallet(wallet), undefined);
  const open = newTrial({ wallet, nowMs: NOON_MS, amountMicroUsd: 3000n });
  await spend(ledger, newTrial({ wallet, nowMs: NOON_MS }));
  await ledger.reserve(open);
  t.deepEqual(await inspection.wallet(wallet), {
    grantedMicroUsd: 50_000n,
    balanceMicroUsd: 33_000n,
    reservedMicroUsd: 3000n,
    spentMicroUsd: 14_000n,
  });
  t.like(await inspection.pending(10), [{ reservationId: open.reservationId, amountMicroUsd: 3000n }]);
});

test('an operator sees the grants of today by network of clients, most first, and resets those of one', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { grantsPerScope: 2 } });
  const inspection = inspectLedger(ledger);
  const grant = async (nowMs: number, grantScope: string) =>
    (await ledger.reserve(newTrial({ nowMs, grantScope }))).state;
  const of = (scope: string, grants: number) => ({ scope, grants });
  await ledger.setClock(NOON_MS);
  await grant(NOON_MS, SCOPE);
  const nowMs = NOON_MS + DAY_MS;
  await ledger.setClock(nowMs);
  for (const scope of [OTHER_SCOPE, SCOPE, SCOPE]) t.is(await grant(nowMs, scope), 'reserved');
  t.is(await grant(nowMs, SCOPE), 'grants_exhausted');
  t.deepEqual(await inspection.grants(), [of(SCOPE, 2), of(OTHER_SCOPE, 1)]);
  t.is(await inspection.resetGrants(SCOPE), 2);
  t.is(await inspection.resetGrants(SCOPE), undefined);
  t.deepEqual(await inspection.grants(), [of(OTHER_SCOPE, 1)]);
  t.is(await grant(nowMs, SCOPE), 'reserved');
  await ledger.setClock(NOON_MS);
  t.deepEqual(await inspection.grants(), [of(SCOPE, 1)]);
});

test('reads see the wallets, days and grants of their own network', async (t) => {
  const [here, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  for (const each of [here, there]) await each.setClock(NOON_MS);
  const { wallet } = newTrial();
  const trial = () => newTrial({ wallet, nowMs: NOON_MS, amountMicroUsd: 1000n, grantScope: SCOPE });
  await spend(there, trial());
  for (const ask of [trial(), trial()]) await there.reserve(ask);
  t.is(await here.balance(wallet), 50_000n);
  t.like(await here.figures(), { usedMicroUsd: 0n, open: 0, reservedMicroUsd: 0n });
  t.is((await here.budget()).remainingMicroUsd, 5_000_000n);
  t.is(await inspectLedger(here).wallet(wallet), undefined);
  t.deepEqual(await here.overdue({ graceMs: -3_600_000, limit: 10, of: 'calls' }), []);
  t.deepEqual(await inspectLedger(here).grants(), []);
  t.is(await inspectLedger(here).resetGrants(SCOPE), undefined);
  await here.reserve(trial());
  t.like(await inspectLedger(here).wallet(wallet), { reservedMicroUsd: 1000n, spentMicroUsd: 0n });
  t.like(await inspectLedger(there).wallet(wallet), { reservedMicroUsd: 2000n, spentMicroUsd: 1000n });
});

test('channels are answered in order, with what is charged and what is reserved', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger);
  await ledger.charge(charge);
  const accounts = await ledger.channels([newChannel(), charge.channelId, newChannel()]);
  t.deepEqual(
    accounts.map(({ reservedMicroUsd }) => reservedMicroUsd),
    [0n, 14_000n, 0n],
  );
  t.true(accounts.every(({ chargedMicroUsd }) => chargedMicroUsd === 0n));
});
