import test, { type ExecutionContext } from 'ava';
import { JobState } from '../../../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { defined } from '../../../../../workers/exact/defined.ts';
import { until } from '../../../../kit/until.ts';
import { endOf, getJob, type JobsHarness, newSubmission, startJobsHarness, submit } from '../harness.ts';

const STOP_GRACE_MS = 30_000;

/** Runs a test with its own harness, because the test breaks something in it. */
const withHarness = test.macro(async (t, run: (t: ExecutionContext, harness: JobsHarness) => Promise<void>) => {
  const harness = await startJobsHarness();
  try {
    await run(t, harness);
  } finally {
    await harness.stop();
  }
});

test.serial(
  'the next worker takes over the job of a killed worker, and the job is applied once',
  withHarness,
  async (t, harness) => {
    const first = await harness.startCopy('backoffice');
    harness.verification.hold();
    const submission = newSubmission();
    const { jobId } = await submit(first, submission);
    await until(() => harness.verification.waiting() === 1);
    await first.process.stop('SIGKILL', 0);
    harness.verification.letGo();
    const second = await harness.startCopy('backoffice');
    t.like(await endOf(second, submission, jobId), { state: JobState.JOB_STATE_SUCCEEDED, attempts: 2 });
    t.is(harness.verification.applied(submission.idempotencyKey), 1);
  },
);

test.serial('a worker that was paused while another did its job changes nothing', withHarness, async (t, harness) => {
  const first = await harness.startCopy('one');
  harness.verification.hold();
  const submission = newSubmission();
  const { jobId } = await submit(first, submission);
  await until(() => harness.verification.waiting() === 1);
  first.process.signal('SIGSTOP');
  const second = await harness.startCopy('two');
  await until(() => harness.verification.waiting() === 2);
  harness.verification.letGo();
  const done = await endOf(second, submission, jobId);
  t.like(done, { state: JobState.JOB_STATE_SUCCEEDED, attempts: 2 });
  first.process.signal('SIGCONT');
  t.deepEqual(await getJob(first, submission, jobId), done);
  t.is(harness.verification.applied(submission.idempotencyKey), 1);
});

test.serial(
  'no job is lost, and none is applied twice, if PostgreSQL dies while jobs run',
  withHarness,
  async (t, harness) => {
    const copy = await harness.startCopy('backoffice');
    harness.verification.hold();
    const submissions = Array.from({ length: 8 }, newSubmission);
    const jobs = await Promise.all(submissions.map((each) => submit(copy, each)));
    await until(() => harness.verification.waiting() === 4);
    await harness.killPostgres();
    harness.verification.letGo();
    await harness.restartPostgres();
    const ended = await Promise.all(jobs.map((job, index) => endOf(copy, defined(submissions[index]), job.jobId)));
    for (const job of ended) t.is(job.state, JobState.JOB_STATE_SUCCEEDED);
    for (const { idempotencyKey } of submissions) t.is(harness.verification.applied(idempotencyKey), 1);
  },
);

test.serial('a job survives if the service and PostgreSQL die together', withHarness, async (t, harness) => {
  const first = await harness.startCopy('backoffice');
  harness.verification.hold();
  const submission = newSubmission();
  const { jobId } = await submit(first, submission);
  await until(() => harness.verification.waiting() === 1);
  await Promise.all([first.process.stop('SIGKILL', 0), harness.killPostgres()]);
  harness.verification.letGo();
  await harness.restartPostgres();
  const second = await harness.startCopy('backoffice');
  t.like(await endOf(second, submission, jobId), { state: JobState.JOB_STATE_SUCCEEDED, attempts: 2 });
  t.is(harness.verification.applied(submission.idempotencyKey), 1);
});

test.serial(
  'a copy that stops gives its job back, and another copy starts it at once',
  withHarness,
  async (t, harness) => {
    const first = await harness.startCopy('one');
    harness.verification.hold();
    const submission = newSubmission();
    const { jobId } = await submit(first, submission);
    await until(() => harness.verification.waiting() === 1);
    const second = await harness.startCopy('two');
    await first.process.stop('SIGTERM', STOP_GRACE_MS);
    t.is(await first.process.exited, 'exit code 0');
    t.is(harness.verification.aborted(), 1);
    harness.verification.letGo();
    t.like(await endOf(second, submission, jobId), { state: JobState.JOB_STATE_SUCCEEDED, attempts: 2 });
  },
);

test.serial('a copy stops cleanly while PostgreSQL is unavailable', withHarness, async (t, harness) => {
  const copy = await harness.startCopy('backoffice');
  await submit(copy, newSubmission());
  await harness.killPostgres();
  await copy.process.stop('SIGTERM', STOP_GRACE_MS);
  t.is(await copy.process.exited, 'exit code 0');
});
