import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { LedgerServiceClient } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { readCall } from '../../../../services/backoffice/retention/sealed-bodies.ts';
import { CallError, openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { MAX_ANSWER_BYTES, MAX_REQUEST_BYTES } from '../../../../services/platform/grpc/size-limits.ts';
import { askMessage } from '../../platform/grpc/ask-message.ts';
import { throwsUnavailable } from '../fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../store/store-fixture.ts';
import { answerOfClaim, cipher, openClaim, openClaims, openClient, serveLedger } from './service-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

type Context = Parameters<typeof openTrialLedger>[0];

async function open(t: Context) {
  const ledger = openTrialLedger(t, database);
  const { target } = await serveLedger(t, ledger);
  return { ledger, target, claims: openClaims(ledger), client: await openClient(t, { target }) };
}

const read = (recordId: string) => readCall({ database: database.database, cipher }, recordId);

test('the answer of a claim is kept sealed, with the time at which to ask for its outcome, and a repeat changes nothing', async (t) => {
  const { ledger, claims, client } = await open(t);
  const claim = await openClaim(claims);
  const answer = answerOfClaim(claim);
  t.is(await client.keep(answer), 'kept');
  t.is(await client.keep(answerOfClaim(claim, 'another answer')), 'kept');
  t.is((await claims.findById(claim.claimId))?.state, 'retained');
  const [row] = await ledger.query(
    `SELECT access, b.operation, c.operation AS claimed, key_id, request_id, request_body, response_body,
       due_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '1 minute' AS is_due_later
     FROM retained_body b JOIN ledger.payment_claim c ON claim_id = record_id WHERE record_id = $1`,
    [claim.claimId],
  );
  const { requestId, operation } = answer;
  t.like(row, {
    access: 'payment',
    operation,
    claimed: operation,
    key_id: 'k1',
    request_id: requestId,
    is_due_later: true,
  });
  t.false([row?.['request_body'], row?.['response_body']].some((body) => String(body).includes('answer')));
  t.like(await read(claim.claimId), {
    operation,
    requestBody: answer.requestBody,
    responseBody: answer.responseBody,
  });
});

test.serial('answers that wait together have their own outcomes, in order, and few transactions', async (t) => {
  const { ledger, claims, client } = await open(t);
  const opened = await Promise.all(Array.from({ length: 100 }, () => openClaim(claims)));
  const isKept = (at: number) => at % 3 !== 0;
  const asked = opened.map((claim, at) => (isKept(at) ? claim : { claimId: uuidv7() }));
  const kept = await Promise.all(asked.map((claim, at) => client.keep(answerOfClaim(claim, 'x'.repeat(at)))));
  t.deepEqual(
    kept,
    asked.map((_, at) => (isKept(at) ? 'kept' : 'superseded')),
  );
  const bodies = await Promise.all(asked.map(({ claimId }) => read(claimId)));
  t.deepEqual(
    bodies.map((found) => found?.responseBody.toString()),
    asked.map((_, at) => (isKept(at) ? `response of ${'x'.repeat(at)}` : undefined)),
  );
  const transactions = `SELECT count(*) AS answers, count(DISTINCT xmin::text) < 33 AS are_few
    FROM retained_body WHERE record_id = ANY ($1)`;
  t.deepEqual(await ledger.query(transactions, [asked.map(({ claimId }) => claimId)]), [
    { answers: 66n, are_few: true },
  ]);
});

test.serial('an answer of the largest size is kept beside small ones', async (t) => {
  const { claims, client } = await open(t);
  const opened = await Promise.all(Array.from({ length: 3 }, () => openClaim(claims)));
  const largest = {
    requestBody: Buffer.alloc(MAX_REQUEST_BYTES, 'x'),
    responseBody: Buffer.alloc(MAX_ANSWER_BYTES, 'y'),
  };
  const kept = await Promise.all(
    opened.map((claim, at) => client.keep({ ...answerOfClaim(claim), ...(at === 1 && largest) })),
  );
  t.deepEqual(kept, ['kept', 'kept', 'kept']);
  const found = await read(opened[1]?.claimId ?? '');
  t.true(found?.requestBody.equals(largest.requestBody) && found.responseBody.equals(largest.responseBody));
});

test('an item of another form is invalid, and fails no other of its message', async (t) => {
  const { target, claims, client } = await open(t);
  const channels = openChannels(LedgerServiceClient, target);
  t.teardown(channels.close);
  const good = answerOfClaim(await openClaim(claims));
  const wrong = [
    { claimId: 'x' },
    { claimId: '' },
    { claimId: '00000000-0000-4000-8000-000000000000' },
    { requestId: 'x' },
    { operation: '' },
    { operation: "a'; DROP SCHEMA ledger" },
  ].map((fields) => ({ ...answerOfClaim(good), ...fields }));
  const ask = async (items: (typeof good)[]) =>
    (
      await askMessage(
        channels.open((calls) => calls.keep()),
        items,
      )
    ).map(({ outcome }) => (outcome?.$case === 'error' ? outcome.value.code : 'done'));
  t.deepEqual(await ask([...wrong, good]), [...wrong.map(() => 'INVALID_ARGUMENT'), 'done']);
  t.deepEqual(await ask([]), []);
  const error = await t.throwsAsync(ask(Array(65).fill(good)), { instanceOf: CallError });
  t.is(error.code, 'INVALID_ARGUMENT');
  for (const item of wrong) await throwsUnavailable(t, client.keep(item), 'refused');
});
