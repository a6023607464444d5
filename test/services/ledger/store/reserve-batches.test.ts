import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { newWallet } from '../fixture.ts';
import { beside } from './held-lock.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2030, 6, 1, 12);
const SCOPE = '203.0.113.0/24';
const NONCE = `INSERT INTO ledger.nonce (network, expires_at, nonce, reservation_id, outcome, balance)
  VALUES ($1, $2, $3, $4, 'reserved', 0)`;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('a batch that has an id, a wallet or a nonce twice is refused, and so are missing terms', async (t) => {
  const ledger = openTrialLedger(t, database);
  const terms = { grant_amount: 50_000, budget: 50_000, grants_per_scope: 0, failures_per_hour: 0 };
  const ask = (given: object, asks: readonly object[]) =>
    callFunction(ledger.pool, 'reserve', [ledger.network, JSON.stringify(given), JSON.stringify(asks)]);
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
  t.deepEqual(await Promise.all(trials.map(({ wallet }) => ledger.balance(wallet))), [
    49_000n,
    48_000n,
    47_000n,
    46_000n,
  ]);
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
  t.deepEqual(
    await ledger.query('SELECT max(budget)::bigint AS budget FROM ledger.trial_day WHERE network = $1', [
      ledger.network,
    ]),
    [{ budget: 5_000_000n }],
  );
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
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const ledger = openTrialLedger(t, own);
  const trial = newTrial();
  const values = [ledger.network, new Date(trial.expirationTimeMs), trial.nonce, uuidv7()];
  t.deepEqual(await beside(own.url, ledger, [NONCE, values], () => ledger.reserve(trial), 'COMMIT'), {
    waits: true,
    answer: { state: 'nonce_replayed', balanceMicroUsd: 50_000n },
  });
  t.deepEqual(await ledger.audit(), { wallets: 0, channels: 0, pending: 0, violations: [] });
});
