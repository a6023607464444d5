import test from 'ava';
import { codeOf } from '../../kit/client.ts';
import { createJobSteps } from './job-steps.ts';
import { useVerifiedStack } from './verified-stack.ts';

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('jobs');
const steps = createJobSteps(stack, tenant);
test.after.always(() => stack.stop());

test('a verification with respond-async becomes a job that ends with the answer', async (t) => {
  const refund = await steps.refundWithEvidence('job');
  const submitted = await steps.verify(refund.executionId, 'job');
  t.is(submitted.status, 202);
  t.is(submitted.headers.get('preference-applied'), 'respond-async');
  t.is(submitted.headers.get('location'), `/api/v1/jobs/${submitted.json?.['job_id']}`);
  await steps.isProven(t, refund, await steps.endOf(submitted));
});

test('the same idempotency key returns the same job, or the same answer without the preference', async (t) => {
  const { executionId } = await steps.refundWithEvidence('same');
  const submitted = await steps.verify(executionId, 'same');
  t.is((await steps.verify(executionId, 'same')).json?.['job_id'], submitted.json?.['job_id']);
  const job = await steps.endOf(submitted);
  const waited = await steps.verify(executionId, 'same', { prefer: 'wait=10' });
  t.is(waited.status, 200);
  t.is(waited.headers.get('idempotency-replayed'), 'true');
  t.deepEqual<unknown, unknown>(waited.json, job.answer);
  t.is(await steps.countProofs(executionId), 1);
});

test('an idempotency key with a stored answer returns a job with that answer', async (t) => {
  const refund = await steps.refundWithEvidence('before');
  const waited = await steps.verify(refund.executionId, 'before', { prefer: 'wait=10' });
  const job = await steps.endOf(await steps.verify(refund.executionId, 'before'));
  t.deepEqual<unknown, unknown>(job.answer, waited.json);
  await steps.isProven(t, refund, job);
});

test('a request that is refused at once creates no job', async (t) => {
  const { executionId } = await steps.refundWithEvidence('refused');
  for (const [asked, idempotencyKey, status, code] of [
    [{ body: '{"verdict":"satisfied"}' }, 'refused', 422, 'MALFORMED_INPUT'],
    [{ body: '[]' }, 'refused', 422, 'MALFORMED_INPUT'],
    [{ body: '{"a":1,"a":1}' }, 'refused', 400, 'INVALID_JSON'],
    [{ key: tenant.keys.reader }, 'refused', 403, 'ROLE_NOT_ALLOWED'],
    [{ key: tenant.keys.approver }, 'refused', 403, 'ROLE_NOT_ALLOWED'],
    [{}, '', 400, 'IDEMPOTENCY_KEY_REQUIRED'],
    [{}, 'a b', 422, 'MALFORMED_INPUT'],
  ] as const) {
    const answer = await steps.verify(executionId, idempotencyKey, asked);
    t.deepEqual([answer.status, codeOf(answer)], [status, code], answer.text);
  }
});
