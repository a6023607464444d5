import { status } from '@grpc/grpc-js';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { JobState } from '../../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import { endOf, getJob, newCaller, newSubmission, startJobsHarness, submit } from './harness.ts';

const harness = await startJobsHarness();
const copy = await harness.startCopy('backoffice');
test.after.always(() => harness.stop());
test.afterEach.always(() => harness.verification.letGo());

const CALL = { timeoutMs: HANG_MS };
/** Cancels a job, by default as a caller inside the deployment, who has no key group. */
async function cancel({ caller }: ReturnType<typeof newSubmission>, jobId: string, keyGroup = '') {
  const request = { tenantId: caller.tenantId, jobId, keyGroup };
  return copy.jobs.call((client) => client.cancel, request, CALL);
}

test.serial('a job runs as its caller and under its idempotency key, and its answer does not change', async (t) => {
  const submission = newSubmission();
  const { jobId, state, createdAt } = await submit(copy, submission);
  t.is(state, JobState.JOB_STATE_QUEUED);
  const done = await endOf(copy, submission, jobId);
  const { executionId } = submission.work.operation.value;
  t.like(done, {
    jobId,
    state: JobState.JOB_STATE_SUCCEEDED,
    attempts: 1,
    createdAt,
    answer: JSON.stringify({ execution_id: executionId }),
    errorCode: '',
  });
  t.regex(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  t.true(done.endedAt > createdAt);
  const request = harness.verification.requests.find((each) => each.params['execution_id'] === executionId);
  t.like(request, { caller: submission.caller, idempotencyKey: submission.idempotencyKey, arguments: '{}' });
});

test.serial('the same idempotency key and work return the same job to every API key of the group', async (t) => {
  const submission = { ...newSubmission(), caller: { ...newCaller(), keyGroup: 'refunds' } };
  const { jobId } = await submit(copy, submission);
  const { caller } = submission;
  t.is((await submit(copy, { ...submission, caller: { ...caller, keyId: uuidv7() } })).jobId, jobId);
  t.not((await submit(copy, { ...submission, caller: newCaller() })).jobId, jobId);
  t.not((await submit(copy, { ...submission, idempotencyKey: uuidv7() })).jobId, jobId);
});

test.serial('ten equal concurrent submissions create one job', async (t) => {
  const submission = newSubmission();
  const jobs = await Promise.all(Array.from({ length: 10 }, () => submit(copy, submission)));
  t.is(new Set(jobs.map(({ jobId }) => jobId)).size, 1);
});

test.serial('refuses an idempotency key of other work, or of another API key or group of the tenant', async (t) => {
  const alone = newSubmission();
  await submit(copy, alone);
  const { caller } = alone;
  for (const other of [
    { caller: { ...caller, keyId: uuidv7() } },
    { caller: { ...caller, keyGroup: 'payouts' } },
    { work: newSubmission().work },
  ]) {
    const error = await t.throwsAsync(submit(copy, { ...alone, ...other }), { instanceOf: CallError });
    t.like(error, { status: status.ALREADY_EXISTS, code: 'IDEMPOTENCY_KEY_REUSED' });
  }
});

test.serial('refuses an incomplete submission', async (t) => {
  const whole = newSubmission();
  const wrong = [
    { ...whole, idempotencyKey: '' },
    { ...whole, idempotencyKey: 'a b' },
    { ...whole, work: { operation: undefined } },
    { ...whole, work: undefined },
    { ...whole, work: { operation: { $case: 'verifyExecution' as const, value: { executionId: 'x' } } } },
    { ...whole, caller: undefined },
    { ...whole, caller: { ...whole.caller, tenantId: 'x' } },
    { ...whole, caller: { ...whole.caller, role: 0 as const } },
  ];
  for (const submission of wrong) {
    const error = await t.throwsAsync(
      copy.jobs.call((client) => client.submit, submission, CALL),
      { instanceOf: CallError },
    );
    t.is(error.code, 'INVALID_ARGUMENT');
  }
});

test.serial("another tenant's job is not found", async (t) => {
  const { jobId } = await submit(copy, newSubmission());
  const request = { tenantId: uuidv7(), jobId, keyGroup: '' };
  const calls = [
    copy.jobs.call((client) => client.get, request, CALL),
    copy.jobs.call((client) => client.cancel, request, CALL),
  ];
  for (const call of calls) t.is((await t.throwsAsync(call, { instanceOf: CallError })).code, 'NOT_FOUND');
});

test.serial('only a key of the group that submitted a job may cancel it', async (t) => {
  harness.verification.hold();
  const alone = newSubmission();
  const grouped = { ...newSubmission(), caller: { ...newCaller(), keyGroup: 'refunds' } };
  for (const [submission, group] of [
    [alone, alone.caller.keyId],
    [grouped, 'refunds'],
  ] as const) {
    const { jobId } = await submit(copy, submission);
    const refused = await t.throwsAsync(cancel(submission, jobId, 'payouts'), { instanceOf: CallError });
    t.is(refused.code, 'KEY_NOT_OWNER');
    t.is((await cancel(submission, jobId, group))?.state, JobState.JOB_STATE_CANCELLED);
  }
  harness.verification.letGo();
});

test.serial('a queued job is canceled immediately, and its work never starts', async (t) => {
  harness.verification.hold();
  const others = Array.from({ length: 4 }, newSubmission);
  await Promise.all(others.map((each) => submit(copy, each)));
  await until(() => harness.verification.waiting() === 4);
  const submission = newSubmission();
  const { jobId } = await submit(copy, submission);
  const job = await cancel(submission, jobId);
  t.like(job, { state: JobState.JOB_STATE_CANCELLED, attempts: 0 });
  harness.verification.letGo();
  const last = newSubmission();
  await endOf(copy, last, (await submit(copy, last)).jobId);
  t.deepEqual(await getJob(copy, submission, jobId), job);
  t.is(harness.verification.applied(submission.idempotencyKey), 0);
});

test.serial('canceling a running job aborts its call', async (t) => {
  harness.verification.hold();
  const submission = newSubmission();
  const { jobId } = await submit(copy, submission);
  await until(() => harness.verification.waiting() === 1);
  const before = harness.verification.aborted();
  const job = await cancel(submission, jobId);
  t.like(job, { state: JobState.JOB_STATE_CANCELLED, attempts: 1, answer: '' });
  await until(() => harness.verification.aborted() === before + 1);
  harness.verification.letGo();
  t.deepEqual(await getJob(copy, submission, jobId), job);
});

test.serial('a job that has ended cannot be canceled', async (t) => {
  const submission = newSubmission();
  const { jobId } = await submit(copy, submission);
  const done = await endOf(copy, submission, jobId);
  const job = await cancel(submission, jobId);
  t.deepEqual(job, done);
});

test.serial('a refusal of the service ends the job with its code and message', async (t) => {
  harness.verification.fail('EXECUTION_CLOSED', 1);
  const submission = newSubmission();
  const { jobId } = await submit(copy, submission);
  t.like(await endOf(copy, submission, jobId), {
    state: JobState.JOB_STATE_FAILED,
    attempts: 1,
    answer: '',
    errorCode: 'EXECUTION_CLOSED',
    errorMessage: 'failed with EXECUTION_CLOSED',
  });
});
