import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { newWallet } from '../fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

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
  const nowMs = Date.UTC(2030, 0, 2, 12);
  await ledger.setClock(nowMs);
  const none = { dayUtc: '2030-01-02', usedMicroUsd: 0n, open: 0, reservedMicroUsd: 0n, oldestAtMs: undefined };
  t.deepEqual(await ledger.figures(), none);
  const oldest = newTrial({ nowMs, reservationId: uuidv7({ msecs: nowMs - 60_000 }) });
  const posted = newTrial({ nowMs });
  await Promise.all([newTrial({ nowMs }), oldest, posted].map(ledger.reserve));
  await ledger.post(newAnswer(posted));
  t.deepEqual(await ledger.figures(), {
    dayUtc: '2030-01-02',
    usedMicroUsd: 42_000n,
    open: 2,
    reservedMicroUsd: 28_000n,
    oldestAtMs: nowMs - 60_000,
  });
});

test('overdue reservations are listed with their fields, oldest first, and a sweep voids them', async (t) => {
  const nowMs = Date.UTC(2030, 0, 1);
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(nowMs);
  const at = (deadlineMs: number) => newTrial({ nowMs, deadlineMs });
  const [late, early, posted] = [at(nowMs + 2000), at(nowMs + 1000), at(nowMs + 500)];
  for (const trial of [late, early, posted]) await ledger.reserve(trial);
  await ledger.post(newAnswer(posted));
  await ledger.setClock(nowMs + 10_000);
  t.deepEqual(await ledger.overdue({ graceMs: 9500, limit: 10, of: 'calls' }), []);
  const found = await ledger.overdue({ graceMs: 1000, limit: 10, of: 'calls' });
  t.deepEqual(found[0], {
    reservationId: early.reservationId,
    wallet: early.wallet,
    operation: 'geocode',
    amountMicroUsd: 14_000n,
    deadlineMs: early.deadlineMs,
  });
  t.is(found[1]?.reservationId, late.reservationId);
  t.is((await ledger.overdue({ graceMs: 1000, limit: 1, of: 'calls' })).length, 1);

  t.deepEqual(await ledger.sweep({ graceMs: 9500, limit: 10 }), { voided: 0, busy: 0 });
  t.deepEqual(await ledger.sweep({ graceMs: 1000, limit: 1 }), { voided: 1, busy: 0 });
  t.deepEqual(await ledger.sweep({ graceMs: 1000, limit: 10 }), { voided: 1, busy: 0 });
  t.is(await ledger.balance(early.wallet), 50_000n);
  t.deepEqual((await ledger.audit()).violations, []);
});

test('an operator sees the account of a wallet and the open reservations', async (t) => {
  const ledger = openTrialLedger(t, database);
  const inspection = inspectLedger(ledger);
  const wallet = newWallet();
  t.is(await inspection.wallet(wallet), undefined);
  // An audit looks at each day from the first entry of the database to the last one.
  const nowMs = Date.UTC(2030, 0, 2, 12);
  await ledger.setClock(nowMs);
  const [posted, open] = [newTrial({ wallet, nowMs }), newTrial({ wallet, nowMs, amountMicroUsd: 3000n })];
  await ledger.reserve(posted);
  await ledger.post(newAnswer(posted));
  await ledger.reserve(open);
  t.deepEqual(await inspection.wallet(wallet), {
    grantedMicroUsd: 50_000n,
    balanceMicroUsd: 33_000n,
    reservedMicroUsd: 3000n,
    spentMicroUsd: 14_000n,
  });
  t.like(await inspection.pending(10), [{ reservationId: open.reservationId, amountMicroUsd: 3000n }]);
});

test('an operator sees the grants of each network of clients, and resets them', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { grantsPerScope: 2 } });
  const inspection = inspectLedger(ledger);
  const [full, other] = ['203.0.113.0/24', '2001:db8::/48'];
  for (const grantScope of [full, other, full]) await ledger.reserve(newTrial({ grantScope }));
  t.deepEqual(await inspection.grants(), [
    { scope: full, grants: 2 },
    { scope: other, grants: 1 },
  ]);
  t.is((await ledger.reserve(newTrial({ grantScope: full }))).state, 'grants_exhausted');
  t.is(await inspection.resetGrants(full), 2);
  t.is(await inspection.resetGrants(full), undefined);
  t.is((await ledger.reserve(newTrial({ grantScope: full }))).state, 'reserved');
});
