import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { newNetwork } from '../fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const DAY_MS = 86_400_000;
type Trial = ReturnType<typeof newTrial>;

/** A ledger with a wallet that has made a call. */
async function known(t: ExecutionContext, options: Parameters<typeof openTrialLedger>[2] = {}) {
  const ledger = openTrialLedger(t, database, options);
  const first = newTrial();
  await ledger.reserve(first);
  return { ledger, first, next: (given: Partial<Trial> = {}) => newTrial({ wallet: first.wallet, ...given }) };
}

const nowMs = Date.now();
/** What a known wallet asks alone, after what happened. Batches have the same outcomes, as the model says. */
const ASKS: readonly {
  readonly name: string;
  readonly before?: (ledger: OpenLedger, first: Trial) => Promise<unknown>;
  readonly ask: (first: Trial) => Partial<Trial>;
  readonly state: string;
}[] = [
  { name: 'asks again', ask: () => ({}), state: 'reserved' },
  { name: 'spends the last of its credit', ask: () => ({ amountMicroUsd: 36_000n }), state: 'reserved' },
  { name: 'lacks credit', ask: () => ({ amountMicroUsd: 36_001n }), state: 'insufficient_balance' },
  { name: 'is late', ask: () => ({ deadlineMs: nowMs - 1 }), state: 'deadline_passed' },
  { name: 'has an expired proof', ask: () => ({ expirationTimeMs: nowMs - 1 }), state: 'expired' },
  {
    name: 'has a proof from before the epoch',
    before: (ledger) =>
      ledger.query("UPDATE ledger.epoch SET proofs_from = clock_timestamp() + interval '400 seconds'"),
    ask: () => ({}),
    state: 'expired',
  },
  {
    name: 'has a nonce that was dropped',
    before: (ledger) =>
      ledger.query("UPDATE ledger.nonce_watermark SET dropped_until = clock_timestamp() + interval '400 seconds'"),
    ask: () => ({}),
    state: 'expired',
  },
  { name: 'repeats its ask', ask: (first) => first, state: 'reserved' },
  {
    name: 'repeats an ask that was posted',
    before: (ledger, first) => ledger.post(newAnswer(first)),
    ask: (first) => first,
    state: 'posted',
  },
  {
    name: 'has the id of another ask',
    ask: ({ reservationId }) => ({ reservationId }),
    state: 'conflict',
  },
  {
    name: 'has the id of a call that was posted',
    before: (ledger, first) => ledger.post(newAnswer(first)),
    ask: ({ reservationId }) => ({ reservationId, amountMicroUsd: 1n }),
    state: 'conflict',
  },
  {
    name: 'has the nonce of an open call',
    ask: ({ nonce, expirationTimeMs }) => ({ nonce, expirationTimeMs }),
    state: 'nonce_reserved',
  },
  {
    name: 'failed too often',
    before: (ledger, { wallet }) =>
      ledger.query(
        'UPDATE ledger.wallet SET failures = array_fill(clock_timestamp(), ARRAY[5]) WHERE network = $1 AND address = $2',
        [ledger.network, wallet],
      ),
    ask: () => ({}),
    state: 'throttled',
  },
];

for (const { name, before, ask, state } of ASKS) {
  test.serial(`a known wallet that ${name} gets ${state}`, async (t) => {
    const { ledger, first, next } = await known(t);
    await before?.(ledger, first);
    const outcome: { readonly state: string } = await ledger.reserve(next(ask(first)));
    t.is(outcome.state, state);
    await ledger.query("UPDATE ledger.epoch SET proofs_from = '-infinity'");
    await ledger.query("UPDATE ledger.nonce_watermark SET dropped_until = '-infinity'");
  });
}

test('a known wallet with an id or a proof of another day is refused', async (t) => {
  const { ledger, next } = await known(t);
  for (const given of [
    { reservationId: uuidv7({ msecs: nowMs - 2 * DAY_MS }) },
    { expirationTimeMs: nowMs + 2 * DAY_MS },
  ]) {
    await t.throwsAsync(ledger.reserve(next(given)), { code: 'INVALID_ARGUMENT' });
  }
});

test('the budget of the day is the sum of its parts, and a full part gets a successor', async (t) => {
  const { ledger, next } = await known(t, { terms: { dailyBudgetMicroUsd: 56_000n } });
  const parts = async () =>
    (
      await ledger.query('SELECT used, changes FROM ledger.trial_day WHERE network = $1 ORDER BY part', [
        ledger.network,
      ])
    ).map(({ used, changes }) => [used, changes]);
  const fill = () => ledger.query('UPDATE ledger.trial_day SET changes = 4000 WHERE network = $1', [ledger.network]);
  t.deepEqual(await parts(), [[14_000n, 1]]);
  t.is((await ledger.reserve(next())).state, 'reserved');
  t.deepEqual(await parts(), [[28_000n, 2]]);
  await fill();
  const another = newTrial();
  t.is((await ledger.reserve(another)).state, 'reserved', 'a new wallet');
  t.deepEqual(await parts(), [
    [28_000n, 4000],
    [14_000n, 1],
  ]);
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

test('a call that is posted alone has its entry, bodies and credit', async (t) => {
  const { ledger, first } = await known(t);
  const other = openTrialLedger(t, database, { network: newNetwork() });
  const answer = newAnswer(first);
  t.is((await other.post(answer)).state, 'unknown', 'it is of another network');
  t.deepEqual(await ledger.post(answer), { state: 'posted', balanceMicroUsd: 36_000n });
  t.deepEqual(await ledger.post(answer), { state: 'posted', balanceMicroUsd: 36_000n });
  const [entry] = await ledger.query(
    "SELECT amount, kind, day = (at AT TIME ZONE 'UTC')::date AS today FROM ledger.entry WHERE id = $1",
    [first.reservationId],
  );
  t.deepEqual(entry, { amount: 14_000n, kind: 'post', today: true });
  const [body] = await ledger.query(
    'SELECT access, operation, key_id, request_body, response_body, request_id FROM retained_body WHERE record_id = $1',
    [first.reservationId],
  );
  const { keyId, request, response, requestId } = answer;
  t.deepEqual(body, {
    ...{ access: 'trial', operation: 'geocode', key_id: keyId, request_id: requestId },
    ...{ request_body: request, response_body: response },
  });
});
