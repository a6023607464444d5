import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { newWallet } from '../fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('the same id twice in one batch is reserved once, and both get its outcome', async (t) => {
  const ledger = openTrialLedger(t, database);
  // The first ask is under way alone, and the others wait for the next batch together.
  const [first, trial] = [newTrial(), newTrial()];
  const [, ...outcomes] = await Promise.all([first, trial, trial, trial].map(ledger.reserve));
  t.deepEqual(outcomes, Array(3).fill({ state: 'reserved', balanceMicroUsd: 36_000n }));
});

test('a denied reserve stays denied, even when the wallet has credit again', async (t) => {
  const ledger = openTrialLedger(t, database);
  const wallet = newWallet();
  const first = newTrial({ wallet, amountMicroUsd: 50_000n });
  const second = newTrial({ wallet });
  await ledger.reserve(first);
  t.deepEqual(await ledger.reserve(second), { state: 'insufficient_balance', balanceMicroUsd: 0n });
  await ledger.void(first.reservationId, 'retain_failed');
  t.deepEqual(await ledger.reserve(second), { state: 'insufficient_balance', balanceMicroUsd: 0n });
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

test('two wallets that send one nonce at the same time get one reservation', async (t) => {
  const ledgers = [openTrialLedger(t, database)];
  ledgers.push(openTrialLedger(t, database, { network: String(ledgers[0]?.network) }));
  for (let round = 0; round < 20; round += 1) {
    const { nonce, expirationTimeMs } = newTrial();
    const outcomes = await Promise.all(ledgers.map(({ reserve }) => reserve(newTrial({ nonce, expirationTimeMs }))));
    t.deepEqual(outcomes.map(({ state }) => state).toSorted(), ['nonce_replayed', 'reserved']);
  }
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

test('a second void finds nothing, and a reserve of a voided id is voided', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  await ledger.reserve(trial);
  await ledger.void(trial.reservationId, 'swept');
  t.is((await ledger.void(trial.reservationId, 'swept')).state, 'unknown');
  t.deepEqual(await ledger.reserve(trial), { state: 'voided', balanceMicroUsd: 36_000n });
  t.like(await ledger.reserve(newTrial({ wallet: trial.wallet })), { balanceMicroUsd: 36_000n });
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

test('an id or a proof of another day than today is out of range', async (t) => {
  const ledger = openTrialLedger(t, database);
  const nowMs = Date.now();
  const old = newTrial({ reservationId: uuidv7({ msecs: nowMs - 90_000_000 }) });
  await t.throwsAsync(ledger.reserve(old), { code: 'INVALID_ARGUMENT' });
  const early = newTrial({ reservationId: uuidv7({ msecs: nowMs + 90_000_000 }) });
  await t.throwsAsync(ledger.reserve(early), { code: 'INVALID_ARGUMENT' });
  await t.throwsAsync(ledger.reserve(newTrial({ expirationTimeMs: nowMs + 90_000_000 })), { code: 'INVALID_ARGUMENT' });
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

test('a reserve counts against the budget of its UTC day, which is full again after midnight', async (t) => {
  let nowMs = Date.UTC(2030, 0, 1, 23, 59, 59);
  const ledger = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 14_000n } });
  await ledger.setClock(nowMs);
  t.is((await ledger.reserve(newTrial({ nowMs }))).state, 'reserved');
  t.is((await ledger.reserve(newTrial({ nowMs }))).state, 'daily_budget_exhausted');
  nowMs += 2000;
  await ledger.setClock(nowMs);
  t.is((await ledger.reserve(newTrial({ nowMs }))).state, 'reserved');
  t.is((await ledger.reserve(newTrial({ nowMs }))).state, 'daily_budget_exhausted');
});

test('a void returns the amount to the day of its reservation', async (t) => {
  let nowMs = Date.UTC(2030, 0, 1, 23, 59, 59);
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(nowMs);
  const trial = newTrial({ nowMs });
  await ledger.reserve(trial);
  nowMs += 2000;
  await ledger.setClock(nowMs);
  await ledger.reserve(newTrial({ nowMs }));
  await ledger.void(trial.reservationId, 'swept');
  const days = await ledger.query(
    'SELECT day::text, sum(used)::bigint AS used FROM ledger.trial_day WHERE network = $1 GROUP BY day ORDER BY day',
    [ledger.network],
  );
  t.deepEqual(days, [
    { day: '2030-01-01', used: 0n },
    { day: '2030-01-02', used: 14_000n },
  ]);
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

test('five failures that the caller caused throttle a wallet for an hour', async (t) => {
  let nowMs = Date.UTC(2030, 5, 1, 12);
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(nowMs);
  const wallet = newWallet();
  for (let failures = 0; failures < 5; failures += 1) {
    const trial = newTrial({ wallet, nowMs });
    t.is((await ledger.reserve(trial)).state, 'reserved');
    await ledger.void(trial.reservationId, 'caller_failed');
  }
  t.deepEqual(await ledger.reserve(newTrial({ wallet, nowMs })), { state: 'throttled', balanceMicroUsd: 50_000n });
  nowMs += 3_600_000;
  await ledger.setClock(nowMs);
  t.is((await ledger.reserve(newTrial({ wallet, nowMs }))).state, 'reserved');
});

test('failures that the caller did not cause throttle nobody', async (t) => {
  const ledger = openTrialLedger(t, database);
  const wallet = newWallet();
  for (const reason of ['operation_failed', 'retain_failed', 'cancelled', 'swept', 'operation_failed'] as const) {
    const trial = newTrial({ wallet });
    await ledger.reserve(trial);
    await ledger.void(trial.reservationId, reason);
  }
  t.is((await ledger.reserve(newTrial({ wallet }))).state, 'reserved');
});

test('amounts are exact up to 2^53', async (t) => {
  const grantMicroUsd = 2n ** 53n - 1n;
  const ledger = openTrialLedger(t, database, { terms: { grantMicroUsd, dailyBudgetMicroUsd: grantMicroUsd } });
  const trial = newTrial({ amountMicroUsd: grantMicroUsd - 1n });
  t.like(await ledger.reserve(trial), { state: 'reserved', balanceMicroUsd: 1n });
  t.is((await ledger.void(trial.reservationId, 'swept')).balanceMicroUsd, grantMicroUsd);
});
