import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { VoidReason } from '../../../../services/ledger/contract/outcomes.ts';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { newWallet } from '../fixture.ts';
import { beside } from './held-lock.ts';
import { createLedgerDatabase, newAnswer, newTrial, openOwnLedger, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2030, 6, 1, 12);
const SCOPE = '203.0.113.0/24';
const NONCE = `INSERT INTO ledger.nonce (network, expires_at, nonce, reservation_id, outcome, balance)
  VALUES ($1, $2, $3, $4, 'reserved', 0)`;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('the same id twice in one batch is reserved once, and both get its outcome', async (t) => {
  const ledger = openTrialLedger(t, database);
  // The first ask is under way alone, and the others wait for the next batch together.
  const [first, trial] = [newTrial(), newTrial()];
  const [, ...outcomes] = await Promise.all([first, trial, trial, trial].map(ledger.reserve));
  t.deepEqual(outcomes, Array(3).fill({ state: 'reserved', balanceMicroUsd: 36_000n }));
});

test('a nonce that another reservation used is refused for every wallet, with what became of a call of its own', async (t) => {
  const ledger = openTrialLedger(t, database);
  const isUsed = async (trial: ReturnType<typeof newTrial>, resolve: () => Promise<unknown>) => {
    const { nonce, expirationTimeMs } = trial;
    await ledger.reserve(trial);
    const read = async () => [
      (await ledger.reserve({ ...trial, reservationId: uuidv7() })).state,
      (await ledger.reserve(newTrial({ nonce, expirationTimeMs }))).state,
    ];
    const before = await read();
    await resolve();
    return [before, await read()];
  };
  const [posted, voided, denied] = [newTrial(), newTrial(), newTrial({ amountMicroUsd: 60_000n })];
  const open = ['nonce_reserved', 'nonce_replayed'];
  const free = ['nonce_replayed', 'nonce_replayed'];
  t.deepEqual(await isUsed(posted, () => ledger.post(newAnswer(posted))), [open, ['nonce_posted', 'nonce_replayed']]);
  t.deepEqual(await isUsed(voided, () => ledger.void(voided.reservationId, 'operation_failed')), [open, free]);
  t.deepEqual(await isUsed(denied, async () => {}), [free, free]);
});

test('an id that is used twice at the same time for other reservations is reserved once, and fails no other item', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  const outcomes = await Promise.all(
    [newTrial(), trial, { ...newTrial(), reservationId: trial.reservationId }, newTrial()].map(ledger.reserve),
  );
  t.deepEqual(
    outcomes.map(({ state }) => state),
    ['reserved', 'reserved', 'conflict', 'reserved'],
  );
});

test('an address in upper case is the same wallet', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  await ledger.reserve(trial);
  const again = newTrial({ wallet: `0x${trial.wallet.slice(2).toUpperCase()}` });
  t.deepEqual(await ledger.reserve(again), { state: 'reserved', balanceMicroUsd: 22_000n });
});

test('a reserve after its deadline or expiration is refused and burns no nonce', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  t.is((await ledger.reserve({ ...trial, deadlineMs: Date.now() - 1 })).state, 'deadline_passed');
  t.is((await ledger.reserve({ ...trial, expirationTimeMs: Date.now() - 1 })).state, 'expired');
  t.is((await ledger.reserve(trial)).state, 'reserved');
});

test('a reserve whose lock ended before its batch is refused and burns no nonce', async (t) => {
  let nowMs = 0;
  const ledger = openTrialLedger(t, database, { monotonicMs: () => nowMs });
  const trial = newTrial();
  const first = ledger.reserve(newTrial());
  const waiting = ledger.reserve({ ...trial, lockLeftMs: 100 });
  nowMs = 100;
  t.deepEqual(await waiting, { state: 'lock_lost' });
  t.is((await first).state, 'reserved');
  t.is((await ledger.reserve(trial)).state, 'reserved');
});

test('an id or a proof of another day than today is out of range, of a new wallet and of a known one', async (t) => {
  const ledger = openTrialLedger(t, database);
  const nowMs = Date.now();
  const known = newTrial();
  await ledger.reserve(known);
  for (const { wallet } of [newTrial(), known]) {
    for (const given of [
      { reservationId: uuidv7({ msecs: nowMs - 90_000_000 }) },
      { reservationId: uuidv7({ msecs: nowMs + 90_000_000 }) },
      { expirationTimeMs: nowMs + 90_000_000 },
    ])
      await t.throwsAsync(ledger.reserve(newTrial({ wallet, ...given })), { code: 'INVALID_ARGUMENT' });
  }
});

test('two wallets that send one nonce at the same time get one reservation', async (t) => {
  const one = openTrialLedger(t, database);
  const other = openTrialLedger(t, database, { network: one.network });
  for (let round = 0; round < 20; round += 1) {
    const { nonce, expirationTimeMs } = newTrial();
    const asks = [one, other].map(({ reserve }) => reserve(newTrial({ nonce, expirationTimeMs })));
    t.deepEqual((await Promise.all(asks)).map(({ state }) => state).toSorted(), ['nonce_replayed', 'reserved']);
  }
});

test('five failures that the caller caused throttle a wallet for an hour, and others nobody', async (t) => {
  const nowMs = Date.UTC(2030, 5, 1, 12);
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(nowMs);
  for (const [reasons, state] of [
    [Array<VoidReason>(5).fill('caller_failed'), 'throttled'],
    [['operation_failed', 'retain_failed', 'cancelled', 'swept', 'operation_failed'], 'reserved'],
  ] as const) {
    const wallet = newWallet();
    for (const reason of reasons) {
      const trial = newTrial({ wallet, nowMs });
      t.is((await ledger.reserve(trial)).state, 'reserved');
      await ledger.void(trial.reservationId, reason);
    }
    t.is((await ledger.reserve(newTrial({ wallet, nowMs }))).state, state);
    await ledger.setClock(nowMs + 3_600_000);
    t.is((await ledger.reserve(newTrial({ wallet, nowMs: nowMs + 3_600_000 }))).state, 'reserved');
    await ledger.setClock(nowMs);
  }
});

test('a denial of an unknown wallet stores only its burnt nonce', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 13_999n } });
  const trial = newTrial({ grantScope: '203.0.113.0/24' });
  t.deepEqual(await ledger.reserve(trial), { state: 'daily_budget_exhausted', balanceMicroUsd: 50_000n });
  for (const table of ['wallet', 'trial_day', 'grant_scope', 'reservation', 'entry']) {
    t.deepEqual(await ledger.query(`SELECT FROM ledger.${table} WHERE network = $1`, [ledger.network]), [], table);
  }
  const nonces = await ledger.query('SELECT nonce, outcome FROM ledger.nonce WHERE network = $1', [ledger.network]);
  t.deepEqual(nonces, [{ nonce: trial.nonce, outcome: 'daily_budget_exhausted' }]);
});

test('new grants of one IP network are limited, and wallets with a grant are not affected', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { grantsPerScope: 2 } });
  const grantScope = '203.0.113.0/24';
  const known = newWallet();
  t.is((await ledger.reserve(newTrial({ wallet: known, grantScope }))).state, 'reserved');
  t.is((await ledger.reserve(newTrial({ grantScope }))).state, 'reserved');
  t.deepEqual(await ledger.reserve(newTrial({ grantScope })), { state: 'grants_exhausted', balanceMicroUsd: 50_000n });
  t.is((await ledger.reserve(newTrial({ wallet: known, grantScope }))).state, 'reserved');
  t.is((await ledger.reserve(newTrial({ grantScope: '198.51.100.0/24' }))).state, 'reserved');
  t.is((await ledger.reserve(newTrial())).state, 'reserved');
});

test('amounts are exact up to 2^53', async (t) => {
  const grantMicroUsd = 2n ** 53n - 1n;
  const ledger = openTrialLedger(t, database, { terms: { grantMicroUsd, dailyBudgetMicroUsd: grantMicroUsd } });
  const trial = newTrial({ amountMicroUsd: grantMicroUsd - 1n });
  t.like(await ledger.reserve(trial), { state: 'reserved', balanceMicroUsd: 1n });
  t.is((await ledger.void(trial.reservationId, 'swept')).balanceMicroUsd, grantMicroUsd);
});

test('a batch that has an id, a wallet or a nonce twice is refused, and so are missing terms', async (t) => {
  const ledger = openTrialLedger(t, database);
  const terms = { grant_amount: 50_000, budget: 50_000, grants_per_scope: 0, failures_per_hour: 0 };
  const ask = (given: object, asks: readonly object[]) =>
    callFunction(ledger.pool, 'reserve', [ledger.network, ...Object.values(given), JSON.stringify(asks)]);
  const one = { id: uuidv7(), wallet: newWallet(), nonce: 'a', expires_at: new Date(NOON_MS) };
  const other = { id: uuidv7(), wallet: newWallet(), nonce: 'b', expires_at: new Date(NOON_MS) };
  for (const key of ['id', 'wallet', 'nonce'] as const)
    await t.throwsAsync(ask(terms, [one, { ...other, [key]: one[key] }]), { message: /same id, wallet or nonce/ });
  for (const name of Object.keys(terms))
    await t.throwsAsync(ask({ ...terms, [name]: null }, []), { message: /a term of trials is missing/ });
});

test('each wallet of a batch pays its own price', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trials = [1000n, 2000n, 3000n, 4000n].map((amountMicroUsd) => newTrial({ amountMicroUsd }));
  await Promise.all(trials.map(ledger.reserve));
  const balances = await Promise.all(trials.map(({ wallet }) => ledger.balance(wallet)));
  t.deepEqual(balances, [49_000n, 48_000n, 47_000n, 46_000n]);
});

test('the limits of a scope and of a day hold within a batch, and who is denied leaves nothing', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { grantsPerScope: 3 } });
  const asks = Array.from({ length: 6 }, () => newTrial({ grantScope: SCOPE }));
  const states = (await Promise.all(asks.map(ledger.reserve))).map(({ state }) => state);
  t.deepEqual(states.toSorted(), [...Array<string>(3).fill('grants_exhausted'), ...Array<string>(3).fill('reserved')]);
  t.deepEqual(await inspectLedger(ledger).grants(), [{ scope: SCOPE, grants: 3 }]);
  t.is((await ledger.audit()).wallets, 3);
  const poor = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 28_000n } });
  const denied = (await Promise.all(asks.map(poor.reserve))).filter(({ state }) => state !== 'reserved');
  t.is(denied.length, 4);
  t.is((await poor.audit()).wallets, 2);
  // The wallets have their accounts in the other network.
  t.is((await ledger.audit()).wallets, 3);
});

test('a wallet with a grant is neither counted again nor denied beside a new one', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { grantsPerScope: 2 } });
  const { wallet } = newTrial();
  await ledger.reserve(newTrial({ wallet, grantScope: SCOPE }));
  for (const last of ['reserved', 'grants_exhausted']) {
    // The first ask is under way alone, and the others wait for the next batch together.
    const asks = [newTrial(), newTrial({ wallet, grantScope: SCOPE }), newTrial({ grantScope: SCOPE })];
    const states = (await Promise.all(asks.map(ledger.reserve))).map(({ state }) => state);
    t.deepEqual(states, ['reserved', 'reserved', last]);
    t.deepEqual(await inspectLedger(ledger).grants(), [{ scope: SCOPE, grants: 2 }]);
  }
});

test('grants and use of yesterday, and use of another network, do not count', async (t) => {
  const terms = { grantsPerScope: 1, dailyBudgetMicroUsd: 14_000n };
  const ledger = openTrialLedger(t, database, { terms });
  const there = openTrialLedger(t, database, { terms });
  for (const nowMs of [NOON_MS, NOON_MS + DAY_MS]) {
    for (const each of [ledger, there]) {
      await each.setClock(nowMs);
      t.is((await each.reserve(newTrial({ nowMs, grantScope: SCOPE }))).state, 'reserved');
    }
  }
});

test('without a limit, no number of failures throttles', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { failuresPerHour: 0 } });
  const { wallet } = newTrial();
  for (let failures = 0; failures < 3; failures += 1) {
    const trial = newTrial({ wallet });
    t.is((await ledger.reserve(trial)).state, 'reserved');
    await ledger.void(trial.reservationId, 'caller_failed');
  }
});

test('a lower budget does not lower that of a day that was used', async (t) => {
  const ledger = openTrialLedger(t, database);
  const lower = openTrialLedger(t, database, { network: ledger.network, terms: { dailyBudgetMicroUsd: 20_000n } });
  await ledger.reserve(newTrial());
  t.is((await lower.reserve(newTrial({ amountMicroUsd: 1000n }))).state, 'reserved');
  await ledger.reserve(newTrial());
  t.is((await lower.reserve(newTrial({ amountMicroUsd: 1000n }))).state, 'daily_budget_exhausted');
  const budget = 'SELECT max(budget)::bigint AS budget FROM ledger.trial_day WHERE network = $1';
  t.deepEqual(await ledger.query(budget, [ledger.network]), [{ budget: 5_000_000n }]);
});

test('an id of another wallet, proof, amount or network is a conflict, open or posted', async (t) => {
  const [ledger, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  const trial = newTrial();
  await ledger.reserve(trial);
  const later = { expirationTimeMs: trial.expirationTimeMs + 1000 };
  for (const proofs of [[later, { nonce: newTrial().nonce }], []]) {
    for (const other of [{ wallet: newWallet() }, { amountMicroUsd: 1n }, ...proofs])
      t.is((await ledger.reserve({ ...trial, ...other })).state, 'conflict');
    t.is((await there.reserve(trial)).state, 'conflict');
    await ledger.post(newAnswer(trial));
  }
});

test('a nonce that another transaction uses while it is looked up pays for nothing', async (t) => {
  // Partitions that other tests make would wait for the transaction, and the reserve for them.
  const { database: own, ledger } = await openOwnLedger(t);
  const trial = newTrial();
  const values = [ledger.network, new Date(trial.expirationTimeMs), trial.nonce, uuidv7()];
  t.deepEqual(await beside(own.url, ledger, [NONCE, values], () => ledger.reserve(trial), 'COMMIT'), {
    waits: true,
    answer: { state: 'nonce_replayed', balanceMicroUsd: 50_000n },
  });
  t.deepEqual(await ledger.audit(), { wallets: 0, channels: 0, pending: 0, violations: [] });
});
