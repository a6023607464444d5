import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { VerifyExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { type Answer, codeOf, headerOf, rawRequest } from '../../helpers/client.ts';
import { eventually } from '../faults/faulty-stack.ts';
import { type Refund, receiptOf, recordRefund } from './refund.ts';
import { startVerifiedStack, type TestTenant, type VerifiedStack } from './verified-stack.ts';

const FAILPOINTS = new URL('../../helpers/failpoints.ts', import.meta.url);

let stack: VerifiedStack;
let tenant: TestTenant;
test.before(async () => {
  const env = { backoffice: { JOB_SWEEP_INTERVAL_MS: '200', JOB_LEASE_MS: '1500', JOB_FIRST_RETRY_MS: '300' } };
  stack = await startVerifiedStack({ preload: FAILPOINTS, env });
  mkdirSync(join(stack.dataDir, 'failpoints'));
  tenant = await stack.addTenant('jobs');
});
test.after.always(() => stack?.stop());

/** A refund with evidence, ready to be verified. */
async function refundWithEvidence(payment: string): Promise<Refund> {
  const refund = await recordRefund(tenant, payment);
  await tenant.agent.post(`/api/v1/executions/${refund.executionId}/evidence`, { artifacts: [receiptOf(refund)] });
  return refund;
}

interface Asked {
  readonly prefer?: string;
  readonly key?: string;
  readonly body?: string;
}

function verify(
  executionId: string,
  idempotencyKey: string,
  { prefer = 'respond-async', key = tenant.keys.agent, body = '{}' }: Asked = {},
) {
  return rawRequest(`${stack.urls[0]}/api/v1/executions/${executionId}/verify`, {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      prefer,
    },
    body,
  });
}

const read = (path: string, key = tenant.keys.reader) =>
  rawRequest(stack.urls[0] + path, { method: 'GET', headers: { authorization: `Bearer ${key}` } });

const Job = Type.Object({
  job_id: Type.String(),
  state: Type.String(),
  attempts: Type.Number(),
  answer: Type.Union([VerifyExecutionAnswer, Type.Null()]),
  error: Type.Union([Type.Object({ code: Type.String() }), Type.Null()]),
});
type Job = Type.Static<typeof Job>;
const readJob = createReader(Job, 'the job');

const ENDED = ['succeeded', 'failed', 'cancelled'];

/** Waits for the end of the job at the location in the answer of its submission. */
function endOf(submitted: Answer): Promise<Job> {
  return eventually('the end of a job', async () => {
    const job = readJob((await read(headerOf(submitted, 'location'))).json);
    return ENDED.includes(job.state) ? job : undefined;
  });
}

async function countProofs(executionId: string): Promise<number> {
  const rows = await stack.owner
    .selectFrom('verification.proof')
    .select('proof_id')
    .where('execution_id', '=', executionId)
    .execute();
  return rows.length;
}

async function isProven(t: ExecutionContext, { executionId }: Refund, job: Job): Promise<void> {
  t.like(job, { state: 'succeeded', error: null });
  const { json } = await read(`/api/v1/verifications/${job.answer?.verification_id}`);
  t.deepEqual<unknown, unknown>(job.answer, json);
  t.is(job.answer?.state, 'verified');
  t.is((await read(`/api/v1/proofs/${job.answer?.proof_id}`)).status, 200);
  t.is(await countProofs(executionId), 1);
}

test('a verification with respond-async becomes a job that ends with the answer', async (t) => {
  const refund = await refundWithEvidence('job');
  const submitted = await verify(refund.executionId, 'job');
  t.is(submitted.status, 202);
  t.is(submitted.headers.get('preference-applied'), 'respond-async');
  t.is(submitted.headers.get('location'), `/api/v1/jobs/${submitted.json?.['job_id']}`);
  await isProven(t, refund, await endOf(submitted));
});

test('the same idempotency key returns the same job, or the same answer without the preference', async (t) => {
  const { executionId } = await refundWithEvidence('same');
  const submitted = await verify(executionId, 'same');
  t.is((await verify(executionId, 'same')).json?.['job_id'], submitted.json?.['job_id']);
  const job = await endOf(submitted);
  const waited = await verify(executionId, 'same', { prefer: 'wait=10' });
  t.is(waited.status, 200);
  t.is(waited.headers.get('idempotency-replayed'), 'true');
  t.deepEqual<unknown, unknown>(waited.json, job.answer);
  t.is(await countProofs(executionId), 1);
});

test('an idempotency key with a stored answer returns a job with that answer', async (t) => {
  const refund = await refundWithEvidence('before');
  const waited = await verify(refund.executionId, 'before', { prefer: 'wait=10' });
  const job = await endOf(await verify(refund.executionId, 'before'));
  t.deepEqual<unknown, unknown>(job.answer, waited.json);
  await isProven(t, refund, job);
});

test('refuses an idempotency key that was used for another execution', async (t) => {
  const [one, other] = [await refundWithEvidence('one'), await refundWithEvidence('other')];
  await endOf(await verify(one.executionId, 'taken'));
  const again = await verify(other.executionId, 'taken');
  t.deepEqual([again.status, codeOf(again)], [409, 'IDEMPOTENCY_KEY_REUSED']);
});

test('a job is visible only to its own tenant', async (t) => {
  const submitted = await verify((await refundWithEvidence('mine')).executionId, 'mine');
  const { keys } = await stack.addTenant('other');
  const path = headerOf(submitted, 'location');
  t.deepEqual(codeOf(await read(path, keys.agent)), 'NOT_FOUND');
  const headers = { authorization: `Bearer ${keys.agent}` };
  t.is((await rawRequest(stack.urls[0] + path, { method: 'DELETE', headers })).status, 404);
  t.is((await endOf(submitted)).state, 'succeeded');
});

test('a job for an unknown execution fails', async (t) => {
  const job = await endOf(await verify('01a1ff10-ab22-7009-9a2f-8dff3c2533c4', 'nothing'));
  t.like(job, { state: 'failed', attempts: 1, answer: null, error: { code: 'NOT_FOUND' } });
});

test('a request that is refused at once creates no job', async (t) => {
  const { executionId } = await refundWithEvidence('refused');
  for (const [asked, idempotencyKey, status, code] of [
    [{ body: '{"verdict":"satisfied"}' }, 'refused', 422, 'MALFORMED_INPUT'],
    [{ body: '[]' }, 'refused', 422, 'MALFORMED_INPUT'],
    [{ body: '{"a":1,"a":1}' }, 'refused', 400, 'INVALID_JSON'],
    [{ key: tenant.keys.reader }, 'refused', 403, 'ROLE_NOT_ALLOWED'],
    [{ key: tenant.keys.approver }, 'refused', 403, 'ROLE_NOT_ALLOWED'],
    [{}, '', 400, 'IDEMPOTENCY_KEY_REQUIRED'],
    [{}, 'a b', 422, 'MALFORMED_INPUT'],
  ] as const) {
    const answer = await verify(executionId, idempotencyKey, asked);
    t.deepEqual([answer.status, codeOf(answer)], [status, code], answer.text);
  }
});

for (const victim of ['verification', 'backoffice']) {
  test.serial(`a job runs once although ${victim} is killed right before its answer is committed`, async (t) => {
    const refund = await refundWithEvidence(`killed-${victim}`);
    const step = join(stack.dataDir, 'failpoints', 'verification.mutation.applied');
    writeFileSync(step, String(stack.pid(victim)));
    const submitted = await verify(refund.executionId, `killed-${victim}`);
    t.is(submitted.status, 202);
    await stack.exited(victim);
    await stack.start(victim);
    const job = await endOf(submitted);
    t.true(job.attempts > 1);
    await isProven(t, refund, job);
  });
}
