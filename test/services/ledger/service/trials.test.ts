import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { LedgerServiceClient, type VoidReason } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { TrialOutcome } from '../../../../services/ledger/contract/outcomes.ts';
import { RESERVE_STATES } from '../../../../services/ledger/contract/states.ts';
import { CallError, openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { createMessageStreams } from '../../../../services/platform/grpc/message-streams.ts';
import { newReservation, throwsUnavailable } from '../fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../store/store-fixture.ts';
import { answerFor, cipher, openClient, serveLedger } from './service-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

type Context = Parameters<typeof openTrialLedger>[0];

async function open(t: Context, options: Parameters<typeof openTrialLedger>[2] = {}) {
  const ledger = openTrialLedger(t, database, options);
  const { target } = await serveLedger(t, ledger);
  return { ledger, target, client: await openClient(t, { target }) };
}

test('a trial is reserved, posted with its sealed answer, and its balance answered', async (t) => {
  const { ledger, client } = await open(t);
  const trial = newReservation();
  t.deepEqual(await client.reserve(trial), { state: 'reserved', balanceMicroUsd: 36_000n });
  const answer = answerFor(trial);
  const posted = { state: 'posted', balanceMicroUsd: 36_000n } as const;
  t.deepEqual(await client.post(answer), posted);
  t.deepEqual(await client.post(answer), posted);
  t.deepEqual(await client.void(trial.reservationId, 'cancelled'), posted);
  t.deepEqual(await client.reserve(trial), posted);
  const [row] = await ledger.query(
    'SELECT request_body, response_body, request_id FROM retained_body WHERE record_id = $1',
    [trial.reservationId],
  );
  t.is(row?.['request_id'], answer.requestId);
  for (const [part, body] of [
    ['request', answer.requestBody],
    ['response', answer.responseBody],
  ] as const) {
    const sealed = row?.[`${part}_body`];
    t.true(Buffer.isBuffer(sealed));
    if (Buffer.isBuffer(sealed)) {
      t.deepEqual(await cipher.open(sealed, 'k1', { recordId: trial.reservationId, part }), body);
    }
  }
  t.deepEqual(await client.budget(), { ...(await ledger.budget()), remainingMicroUsd: 4_986_000n });
});

test('a void returns the amount, and an unknown id has no balance', async (t) => {
  const { client } = await open(t);
  const trial = newReservation();
  await client.reserve(trial);
  t.deepEqual(await client.void(trial.reservationId, 'cancelled'), { state: 'voided', balanceMicroUsd: 50_000n });
  const unknown = { state: 'unknown', balanceMicroUsd: undefined } as const;
  t.deepEqual(await client.void(trial.reservationId, 'cancelled'), unknown);
  t.deepEqual(await client.post(answerFor(trial)), unknown);
  t.deepEqual(await client.reserve(trial), { state: 'voided', balanceMicroUsd: 36_000n });
});

test('every denial of the ledger crosses the wire', async (t) => {
  const { client } = await open(t, { terms: { dailyBudgetMicroUsd: 60_000n, grantsPerScope: 1, failuresPerHour: 1 } });
  const grantScope = '192.0.2.0/24';
  const first = newReservation({ grantScope });
  const { wallet } = first;
  t.is((await client.reserve(first)).state, 'reserved');
  t.is((await client.reserve(newReservation({ grantScope }))).state, 'grants_exhausted');
  t.is((await client.reserve(newReservation({ wallet, amountMicroUsd: 40_000n }))).state, 'insufficient_balance');
  t.is((await client.reserve(newReservation({ amountMicroUsd: 50_000n }))).state, 'daily_budget_exhausted');
  t.is(
    (await client.reserve(newReservation({ nonce: first.nonce, expirationTimeMs: first.expirationTimeMs }))).state,
    'nonce_replayed',
  );
  t.is((await client.reserve(newReservation({ expirationTimeMs: Date.now() - 1000 }))).state, 'expired');
  t.is((await client.reserve(newReservation({ deadlineMs: Date.now() - 1000 }))).state, 'deadline_passed');
  await client.void(first.reservationId, 'caller_failed');
  t.is((await client.reserve(newReservation({ wallet }))).state, 'throttled');
});

test('every state of a reserve crosses the wire', async (t) => {
  const ledger = openTrialLedger(t, database);
  const outcomes: readonly TrialOutcome[] = Object.keys(RESERVE_STATES).map((state) =>
    state === 'lock_lost' ? { state } : ({ state, balanceMicroUsd: 5n } as TrialOutcome),
  );
  const left = [...outcomes];
  const reserve = async () => left.shift() ?? Promise.reject(new Error('no outcome'));
  const { target } = await serveLedger(t, ledger, { store: { reserve } });
  const client = await openClient(t, { target });
  for (const outcome of outcomes) t.deepEqual(await client.reserve(newReservation()), outcome);
});

test('items that wait together have their own outcomes, in order', async (t) => {
  const { ledger, client } = await open(t);
  const trials = Array.from({ length: 150 }, (_, at) => newReservation({ amountMicroUsd: BigInt(at + 1) }));
  const reserved = await Promise.all(trials.map(client.reserve));
  t.deepEqual(
    reserved,
    trials.map(({ amountMicroUsd }) => ({ state: 'reserved', balanceMicroUsd: 50_000n - amountMicroUsd })),
  );
  const settled = await Promise.all(
    trials.map(async (trial, at) => {
      if (at % 3 === 0) return (await client.void(trial.reservationId, 'operation_failed')).state;
      if (at % 3 === 1) return (await client.post(answerFor(trial, 'x'.repeat(at)))).state;
      return (await client.post(answerFor({ reservationId: uuidv7() }))).state;
    }),
  );
  t.deepEqual(
    settled,
    trials.map((_, at) => ['voided', 'posted', 'unknown'][at % 3]),
  );
  t.like(await ledger.audit(), { pending: 50, violations: [] });
});

test('a large answer is posted beside small ones', async (t) => {
  const { ledger, client } = await open(t);
  const trials = Array.from({ length: 3 }, () => newReservation());
  await Promise.all(trials.map(client.reserve));
  const large = { responseBody: Buffer.alloc(12 * 1024 * 1024, 'x') };
  const posted = await Promise.all(
    trials.map((trial, at) => client.post({ ...answerFor(trial), ...(at === 1 && large) })),
  );
  t.true(posted.every(({ state }) => state === 'posted'));
  t.like(await ledger.audit(), { pending: 0, violations: [] });
});

test('a request that the ledger cannot have is refused, and fails no other of its batch', async (t) => {
  const { client } = await open(t);
  const wrong = [
    { reservationId: 'x' },
    { wallet: `0x${'g'.repeat(40)}` },
    { nonce: `${'0'.repeat(31)}\0` },
    { operation: '' },
    { operation: "a'; DROP SCHEMA ledger" },
    { amountMicroUsd: 0n },
    { amountMicroUsd: 2n ** 53n },
    { amountMicroUsd: 2n ** 64n - 1n },
    { deadlineMs: 0 },
    { expirationTimeMs: Number.MAX_SAFE_INTEGER },
    { expirationTimeMs: Date.now() + 2 * 86_400_000 },
    { reservationId: uuidv7({ msecs: 1 }) },
    { grantScope: '\0' },
  ].map((fields) => newReservation(fields));
  const good = client.reserve(newReservation());
  await Promise.all(wrong.map((reservation) => throwsUnavailable(t, client.reserve(reservation), 'refused')));
  t.is((await good).state, 'reserved');
  await throwsUnavailable(t, client.void('x', 'cancelled'), 'refused');
  await throwsUnavailable(t, client.post({ ...answerFor(newReservation()), requestId: 'x' }), 'refused');
});

test('a message with too many items, or a reason that does not exist, is invalid', async (t) => {
  const { target } = await open(t);
  const channels = openChannels(LedgerServiceClient, target);
  const streams = createMessageStreams(() => channels.open((client) => client.void()));
  t.teardown(() => {
    streams.close();
    channels.close();
  });
  // Any number crosses the wire.
  const voidOf = (reason: number) => ({ reservationId: uuidv7(), reason: reason as VoidReason });
  const ask = async (reasons: readonly number[]) =>
    (await streams.ask({ items: reasons.map(voidOf) }, 30_000)).outcomes.map(({ outcome }) =>
      outcome?.$case === 'error' ? outcome.value.code : 'done',
    );
  t.deepEqual(await ask([0, 1, 99, -1]), ['INVALID_ARGUMENT', 'done', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT']);
  t.deepEqual(await ask([]), []);
  const error = await t.throwsAsync(ask(Array(65).fill(1)), { instanceOf: CallError });
  t.is(error.code, 'INVALID_ARGUMENT');
});

test.serial('the steps of a trial are published', async (t) => {
  const { client } = await open(t);
  const steps: unknown[] = [];
  const note = (message: unknown) => steps.push(message);
  subscribe('tollhouse:step', note);
  t.teardown(() => unsubscribe('tollhouse:step', note));
  const trial = newReservation();
  await client.reserve(trial);
  await client.post(answerFor(trial));
  t.deepEqual(steps, ['reserve.before', 'reserve.after', 'post.before', 'post.after']);
});

test('a wallet is one in any letter case', async (t) => {
  const { client } = await open(t);
  const { wallet } = newReservation();
  await client.reserve(newReservation({ wallet }));
  const upper = `0x${wallet.slice(2).toUpperCase()}`;
  t.deepEqual(await client.reserve(newReservation({ wallet: upper })), { state: 'reserved', balanceMicroUsd: 22_000n });
});
