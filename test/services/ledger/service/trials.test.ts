import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { RESERVE_STATES, type TrialOutcome } from '../../../../services/ledger/contract/outcomes.ts';
import { until } from '../../../kit/until.ts';
import { newReservation } from '../fixture.ts';
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
  // The service may have read it up to a second ago.
  await until(async () => (await client.budget()).remainingMicroUsd === 4_986_000n);
});

test('every state of a reserve crosses the wire', async (t) => {
  const ledger = openTrialLedger(t, database);
  const outcomes: readonly TrialOutcome[] = RESERVE_STATES.map((state) =>
    state === 'lock_lost' ? { state } : { state, balanceMicroUsd: 5n },
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
