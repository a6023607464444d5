import { createHash, randomBytes } from 'node:crypto';
import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import {
  RetentionReviewServiceClient,
  RetentionReviewServiceService,
  type ReviewRequest,
  type ReviewResponse,
} from '../../../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { readOperatorKeys } from '../../../../services/backoffice/contract/operator-keys.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createDeletion } from '../../../../services/backoffice/retention/deletion.ts';
import { createReviewService } from '../../../../services/backoffice/retention/review-service.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { openRetainedCalls } from './retained-calls.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const KEYS: NamedKeys = [{ id: 'one', secret: randomBytes(32) }];
const OPERATOR_KEY = randomBytes(32).toString('base64url');
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const OPERATORS = `robot:${hashOf('another key')},ada@example.com:${hashOf(OPERATOR_KEY)}`;
const BEARER = `Bearer ${OPERATOR_KEY}`;

const stores = await createTestDatabase();
const { database } = stores;
const { retainCall, close } = openRetainedCalls(stores);
const call = await retainCall(KEYS);
test.after.always(async () => {
  await close();
  await stores.stop();
});

interface Setting {
  readonly operators?: string;
  readonly authorization?: string;
  readonly keys?: NamedKeys;
}

/** Asks a server with these settings for a review. */
async function review(
  subject: ReviewRequest['subject'],
  { operators = OPERATORS, authorization = BEARER, keys = KEYS }: Setting = {},
  others: Partial<ReviewRequest> = {},
): Promise<ReviewResponse> {
  const server = await startGrpcServer({
    listen: '127.0.0.1:0',
    service: RetentionReviewServiceService,
    implementation: createReviewService({
      database,
      logger,
      cipher: createBodyCipher(keys),
      operatorKeys: readOperatorKeys(operators),
    }),
    logger,
  });
  const client = new RetentionReviewServiceClient(server.address, credentials.createInsecure());
  const metadata = new Metadata();
  if (authorization !== '') metadata.set('authorization', authorization);
  try {
    return await new Promise((resolve, reject) => {
      const request = { subject, operator: '', reason: 'ticket 7', ...others };
      client.review(request, metadata, (error: ServiceError | null, response) =>
        error === null ? resolve(response) : reject(new CallError(error)),
      );
    });
  } finally {
    client.close();
    await server.close();
  }
}

const byRecord = (recordId: string) => ({ $case: 'recordId' as const, value: recordId });
const byRequest = (requestId: string) => ({ $case: 'requestId' as const, value: requestId });
const actsOf = (recordId: string) => listActs(database, { subject: recordId, limit: 10 });

async function assertRefused(
  t: ExecutionContext,
  answer: Promise<ReviewResponse>,
  expected: { readonly code: string; readonly status: status },
) {
  const error = await t.throwsAsync(answer, { instanceOf: CallError });
  t.like(error, { code: expected.code, status: expected.status });
}

const DENIED = { code: 'OPERATOR_KEY_REQUIRED', status: status.PERMISSION_DENIED };

test.serial(
  'an operator reads the bodies by the id of the request or of the record, and each review is recorded',
  async (t) => {
    const { recordId, requestId } = call;
    for (const subject of [byRequest(requestId), byRecord(recordId)]) {
      const shown = await review(subject, {}, { operator: 'Grace' });
      t.like(shown, { recordId, requestId, operation: call.operation });
      t.true(shown.requestBody.equals(call.requestBody) && shown.responseBody.equals(call.responseBody));
    }
    const acts = await actsOf(recordId);
    t.is(acts.length, 2);
    t.like(acts[0], { operator: 'ada@example.com', action: 'retention.review', reason: 'ticket 7' });
    t.deepEqual(JSON.parse(acts[0]?.detail ?? ''), { requestId, onBehalfOf: 'Grace' });
    t.false(JSON.stringify(acts.map((act) => ({ ...act, sequence: 0 }))).includes('private'));
  },
);

test.serial(
  'without the key of an operator nothing is shown or recorded, and without keys nobody has one',
  async (t) => {
    const before = (await actsOf(call.recordId)).length;
    const wrong = [
      '',
      'Bearer',
      'Bearer wrong',
      OPERATOR_KEY,
      `Basic ${OPERATOR_KEY}`,
      `Bearer ${hashOf(OPERATOR_KEY)}`,
    ];
    for (const authorization of wrong) {
      await assertRefused(t, review(byRecord(call.recordId), { authorization }), DENIED);
    }
    await assertRefused(t, review(byRecord(call.recordId), { operators: '' }), DENIED);
    await assertRefused(t, review(byRecord(call.recordId), { operators: '', authorization: '' }), DENIED);
    t.is((await actsOf(call.recordId)).length, before);
  },
);

test.serial('nothing is shown if the review cannot be recorded', async (t) => {
  await sql`CREATE FUNCTION refuse_act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$`.execute(
    database,
  );
  await sql`CREATE TRIGGER full_disk BEFORE INSERT ON operator_act EXECUTE FUNCTION refuse_act()`.execute(database);
  const unavailable = { code: 'RETENTION_UNAVAILABLE', status: status.UNAVAILABLE };
  await assertRefused(t, review(byRecord(call.recordId)), unavailable);
  await sql`DROP FUNCTION refuse_act CASCADE`.execute(database);
});

test.serial('an incomplete or unknown request is refused', async (t) => {
  const invalid = { code: 'INVALID_ARGUMENT', status: status.INVALID_ARGUMENT };
  await assertRefused(t, review(undefined), invalid);
  await assertRefused(t, review(byRecord('1')), invalid);
  await assertRefused(t, review(byRecord(call.recordId), {}, { reason: ' ' }), invalid);
  await assertRefused(t, review(byRecord(call.recordId), {}, { reason: 'x'.repeat(501) }), invalid);
  const unknown = { code: 'NOT_FOUND', status: status.NOT_FOUND };
  await assertRefused(t, review(byRequest(call.recordId)), unknown);
  await assertRefused(t, review(byRecord(uuidv7())), unknown);
});

test.serial('the person for whom an operator asks has up to 64 characters, and none is not recorded', async (t) => {
  const subject = byRecord(call.recordId);
  const detailOf = async () => JSON.parse((await actsOf(call.recordId))[0]?.detail ?? '');
  await review(subject, {}, { operator: ` ${'x'.repeat(64)} ` });
  t.is((await detailOf()).onBehalfOf, 'x'.repeat(64));
  await review(subject, {}, { operator: '  ' });
  t.deepEqual(await detailOf(), { requestId: call.requestId });
  const error = await t.throwsAsync(review(subject, {}, { operator: 'x'.repeat(65) }), { instanceOf: CallError });
  t.like(error, { code: 'INVALID_ARGUMENT' });
  t.regex(error.message, /operator has more than 64 characters/);
});

test.serial('a request with several records is answered with their ids', async (t) => {
  const first = await retainCall(KEYS);
  const second = await retainCall(KEYS, { requestId: first.requestId });
  const error = await t.throwsAsync(review(byRequest(first.requestId)));
  t.true(error.message.includes(first.recordId) && error.message.includes(second.recordId));
});

test.serial('a body that is held after its day was deleted is shown', async (t) => {
  const atMs = Date.parse('2024-05-05');
  const held = await retainCall(KEYS, { atMs });
  const run = createDeletion({ database, days: 30, now: async () => Date.now(), logger });
  await run(new AbortController().signal);
  t.is((await review(byRequest(held.requestId))).recordId, held.recordId);
  t.is((await review(byRecord(held.recordId))).requestId, held.requestId);
});

test.serial('a missing key, another key of the same id, and swapped bodies have clear error codes', async (t) => {
  const subject = byRecord(call.recordId);
  const missing: NamedKeys = [{ id: 'two', secret: randomBytes(32) }];
  const wrong: NamedKeys = [{ id: 'one', secret: randomBytes(32) }];
  const before = (await actsOf(call.recordId)).length;
  await assertRefused(t, review(subject, { keys: missing }), {
    code: 'RETENTION_KEY_MISSING',
    status: status.FAILED_PRECONDITION,
  });
  const unreadable = { code: 'RETAINED_BODY_UNREADABLE', status: status.DATA_LOSS };
  await assertRefused(t, review(subject, { keys: wrong }), unreadable);
  const other = await retainCall(KEYS);
  const changes = [
    sql`SET request_body = response_body, response_body = request_body`,
    sql`SET (request_body, response_body) = (SELECT request_body, response_body FROM retained_body
      WHERE record_id = ${other.recordId})`,
    sql`SET response_body = set_byte(response_body, 20, get_byte(response_body, 20) # 1)`,
    sql`SET request_body = ''`,
  ];
  const row = await database
    .selectFrom('retained_body')
    .selectAll()
    .where('record_id', '=', call.recordId)
    .executeTakeFirstOrThrow();
  for (const change of changes) {
    await sql`UPDATE retained_body ${change} WHERE record_id = ${call.recordId}`.execute(database);
    await assertRefused(t, review(subject), unreadable);
    const { request_body, response_body } = row;
    await database
      .updateTable('retained_body')
      .set({ request_body, response_body })
      .where('record_id', '=', call.recordId)
      .execute();
  }
  t.is((await actsOf(call.recordId)).length, before, 'nothing was revealed, so nothing is recorded');
  t.truthy(await review(subject));
});

test('OPERATOR_KEY_HASHES with a malformed entry is refused, and the message does not repeat it', (t) => {
  for (const text of ['ada', `ada:${OPERATOR_KEY}`, `:${hashOf('a')}`, `two words:${hashOf('a')}`]) {
    const error = t.throws(() => readOperatorKeys(text), { instanceOf: ConfigurationError });
    t.false(error.message.includes(text));
  }
  t.deepEqual(readOperatorKeys(undefined), []);
});
