import test from 'ava';
import { spend } from './ledger-steps.ts';
import { createLedgerDatabase, newTrial, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

type Trial = ReturnType<typeof newTrial>;
const nowMs = Date.now();
const LATER = "clock_timestamp() + interval '400 seconds'";

/** What a known wallet asks alone, after its first call. Batches have the same outcomes, as the model says. */
const ASKS: readonly (readonly [
  name: string,
  ask: (first: Trial) => Partial<Trial>,
  state: string,
  before?: (ledger: OpenLedger, first: Trial) => Promise<unknown>,
])[] = [
  ['spends the last of its credit', () => ({ amountMicroUsd: 36_000n }), 'reserved'],
  ['lacks credit', () => ({ amountMicroUsd: 36_001n }), 'insufficient_balance'],
  ['is late', () => ({ deadlineMs: nowMs - 1 }), 'deadline_passed'],
  ['has an expired proof', () => ({ expirationTimeMs: nowMs - 1 }), 'expired'],
  [
    'has a proof from before the epoch',
    () => ({}),
    'expired',
    ({ query }) => query(`UPDATE ledger.epoch SET proofs_from = ${LATER}`),
  ],
  [
    'has a nonce that was dropped',
    () => ({}),
    'expired',
    ({ query }) => query(`UPDATE ledger.nonce_watermark SET dropped_until = ${LATER}`),
  ],
  ['has the id of another ask', ({ reservationId }) => ({ reservationId }), 'conflict'],
  [
    'has the id of a call that was posted',
    ({ reservationId }) => ({ reservationId, amountMicroUsd: 1n }),
    'conflict',
    spend,
  ],
  ['has the nonce of an open call', ({ nonce, expirationTimeMs }) => ({ nonce, expirationTimeMs }), 'nonce_reserved'],
];

for (const [name, ask, state, before] of ASKS) {
  test.serial(`a known wallet that ${name} gets ${state}`, async (t) => {
    const ledger = openTrialLedger(t, database);
    const first = newTrial();
    await ledger.reserve(first);
    await before?.(ledger, first);
    const outcome = await ledger.reserve(newTrial({ wallet: first.wallet, ...ask(first) }));
    t.is<string, string>(outcome.state, state);
    await ledger.query("UPDATE ledger.epoch SET proofs_from = '-infinity'");
    await ledger.query("UPDATE ledger.nonce_watermark SET dropped_until = '-infinity'");
  });
}

test('the budget of the day is the sum of its parts, and a full part gets a successor', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 56_000n } });
  const { network } = ledger;
  const [first, another] = [newTrial(), newTrial()];
  const next = () => newTrial({ wallet: first.wallet });
  await ledger.reserve(first);
  const read = 'SELECT used, changes FROM ledger.trial_day WHERE network = $1 ORDER BY part';
  const parts = async () => (await ledger.query(read, [network])).map(({ used, changes }) => [used, changes]);
  const fill = () => ledger.query('UPDATE ledger.trial_day SET changes = 4000 WHERE network = $1', [network]);
  t.deepEqual(await parts(), [[14_000n, 1]]);
  t.is((await ledger.reserve(next())).state, 'reserved');
  t.deepEqual(await parts(), [[28_000n, 2]]);
  await fill();
  t.is((await ledger.reserve(another)).state, 'reserved', 'a new wallet');
  t.deepEqual(await parts(), [
    [28_000n, 4000],
    [14_000n, 1],
  ]);
  t.is((await ledger.figures()).usedMicroUsd, 42_000n);
  await fill();
  const last = next();
  t.is((await ledger.reserve(last)).state, 'reserved', 'the last of the budget');
  const askBeyond = async () => {
    for (const wallet of [another.wallet, newTrial().wallet]) {
      t.is((await ledger.reserve(newTrial({ wallet }))).state, 'daily_budget_exhausted');
    }
  };
  await askBeyond();
  await ledger.void(last.reservationId, 'operation_failed');
  t.is((await ledger.reserve(next())).state, 'reserved');
  await askBeyond();
});
