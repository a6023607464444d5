import { Metadata, status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import {
  cancelJob,
  deleteEndedJobs,
  fail,
  findDue,
  giveBack,
  readJob,
  startAttempt,
  submitJob,
  succeed,
} from '../../../../services/backoffice/jobs/job-rows.ts';
import { startWorker, type Verify } from '../../../../services/backoffice/jobs/worker.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createLockSessions, openLockSession } from '../../../../services/store/recurring/lock-session.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { until } from '../../../kit/until.ts';
import { newSubmission } from './harness.ts';

const DAY_MS = 86_400_000;
const logger = createLogger({ name: 'test', level: 'silent' });
const answer: Verify = async ({ executionId }) => JSON.stringify(executionId);

/** Opens a database without other jobs. */
async function open(t: ExecutionContext) {
  const { url, database, stop } = await createTestDatabase();
  t.teardown(stop);

  async function submitNew() {
    const { work, ...submission } = newSubmission();
    const { executionId } = work.operation.value;
    const { jobId } = await submitJob(database, { ...submission, executionId });
    const { tenantId } = submission.caller;
    return { submission: { ...submission, executionId }, jobId, tenantId };
  }
  type Submitted = Awaited<ReturnType<typeof submitNew>>;

  async function openSession() {
    const session = await openLockSession(url);
    t.teardown(() => session.end());
    return session;
  }

  return {
    database,
    submitNew,
    openSession,
    start(verify: Verify, concurrency = 4) {
      const sessions = createLockSessions(url);
      const worker = startWorker({ database, sessions, verify, concurrency, firstRetryMs: 1, logger });
      t.teardown(async () => {
        await worker.close();
        await sessions.close();
      });
      return worker;
    },
    /** Starts an attempt as another process does. */
    async startElsewhere({ jobId }: Submitted) {
      const session = await openSession();
      t.true(await session.tryLock(`job/${jobId}`));
      return { session, attempt: defined(await startAttempt(session, jobId)) };
    },
    endOf: (job: Submitted) =>
      until(async () => {
        const record = await readJob(database, job);
        return record.endedAt !== null && record;
      }),
    /** Moves the times of a job into the past, as if `ms` had passed. */
    age: (jobId: string, ms: number) =>
      sql`UPDATE job SET due_at = due_at - make_interval(secs => ${ms / 1000}),
        ended_at = ended_at - make_interval(secs => ${ms / 1000}) WHERE job_id = ${jobId}`.execute(database),
  };
}

/** A verification whose calls wait, and that ignores aborts: each call ends when the test ends it. */
function createHeldVerify() {
  const calls: { readonly idempotencyKey: string; readonly signal: AbortSignal; end(answer: string): void }[] = [];
  const verify: Verify = ({ idempotencyKey }, signal) =>
    new Promise((resolve) => {
      calls.push({ idempotencyKey, signal, end: resolve });
    });
  return { calls, verify };
}

test('five workers do each of twenty jobs once, with the submitted work', async (t) => {
  const { start, submitNew, endOf } = await open(t);
  const jobs = await Promise.all(Array.from({ length: 20 }, submitNew));
  const works = new Map<string, unknown>();
  let calls = 0;
  const verify: Verify = (work, signal) => {
    calls += 1;
    works.set(work.executionId, work);
    return answer(work, signal);
  };
  for (let worker = 0; worker < 5; worker += 1) start(verify, 1);
  for (const job of jobs) {
    const { submission } = job;
    const { executionId } = submission;
    t.like(await endOf(job), { state: 'succeeded', attempts: 1, answer: JSON.stringify(executionId) });
    t.like(works.get(executionId), submission);
  }
  t.is(calls, 20);
});

test('a worker that runs as many jobs as it may leaves the next one to another worker', async (t) => {
  const { start, submitNew, endOf } = await open(t);
  const { calls, verify } = createHeldVerify();
  const jobs = [await submitNew(), await submitNew(), await submitNew()] as const;
  start(verify, 2);
  await until(() => calls.length === 2);
  start(answer, 1);
  t.like(await endOf(jobs[2]), { state: 'succeeded', attempts: 1 });
  for (const call of calls) call.end('"held"');
  t.is((await endOf(jobs[0])).answer, '"held"');
  t.is((await endOf(jobs[1])).answer, '"held"');
  t.is(calls.length, 2);
});

test('a job that cannot be read ends, and the next one starts', async (t) => {
  const { database, start, submitNew, endOf } = await open(t);
  const job = await submitNew();
  await sql`UPDATE job SET caller = '{"keyId": "k"}' WHERE job_id = ${job.jobId}`.execute(database);
  const next = await submitNew();
  start(answer, 1);
  t.like(await endOf(next), { state: 'succeeded' });
  t.like(await endOf(job), { state: 'failed', errorCode: 'INTERNAL' });
});

test('jobs of kinds that this release does not know are left alone, and hold up no other', async (t) => {
  const { database, start, submitNew, endOf, age } = await open(t);
  const unknown = await Promise.all(Array.from({ length: 3 }, submitNew));
  for (const { jobId } of unknown) await age(jobId, DAY_MS);
  await sql`UPDATE job SET work = '{"laterOperation":{}}'`.execute(database);
  const known = await submitNew();
  start(answer, 1);
  t.is((await endOf(known)).state, 'succeeded');
  for (const job of unknown) t.like(await readJob(database, job), { state: 'queued', attempts: 0 });
});

test('a running job starts again only when nobody holds its lock', async (t) => {
  const { database, start, submitNew, startElsewhere, endOf, age } = await open(t);
  const job = await submitNew();
  const { session } = await startElsewhere(job);
  await age(job.jobId, DAY_MS);
  start(answer, 1);
  await endOf(await submitNew());
  t.like(await readJob(database, job), { state: 'running', attempts: 1 });
  await session.end();
  t.like(await endOf(job), { state: 'succeeded', attempts: 2 });
});

test('a session that has ended starts nothing', async (t) => {
  const { database, submitNew, openSession } = await open(t);
  const job = await submitNew();
  const session = await openSession();
  await session.tryLock(`job/${job.jobId}`);
  await session.end();
  await t.throwsAsync(startAttempt(session, job.jobId));
  t.like(await readJob(database, job), { state: 'queued', attempts: 0 });
});

test('a lost session aborts the work, whose result is dropped, and the job starts again when the work has ended', async (t) => {
  const { database, start, submitNew, endOf } = await open(t);
  const { calls, verify } = createHeldVerify();
  const job = await submitNew();
  const worker = start(verify);
  await until(() => calls.length === 1);
  const [first] = calls;
  await sql`SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(
    database,
  );
  await until(() => first?.signal.aborted);
  // When the worker has started another job, it has also passed over the one whose work has not ended.
  const next = await submitNew();
  worker.wakeUp();
  await until(() => calls.length === 2);
  t.is(calls[1]?.idempotencyKey, next.submission.idempotencyKey);
  calls[1]?.end('"next"');
  await endOf(next);
  t.like(await readJob(database, job), { state: 'running', attempts: 1 });
  first?.end('"late"');
  await until(() => calls.length === 3);
  calls[2]?.end('"right"');
  t.like(await endOf(job), { state: 'succeeded', attempts: 2, answer: '"right"' });
});

test('the result of an earlier attempt is dropped', async (t) => {
  const { database, submitNew, startElsewhere } = await open(t);
  const job = await submitNew();
  const { session, attempt: first } = await startElsewhere(job);
  await session.end();
  const { attempt: second } = await startElsewhere(job);
  t.false(await succeed(database, first, '"late"'));
  t.false(await giveBack(database, first, { delayMs: 0, spent: 0 }));
  t.true(await succeed(database, second, '"right"'));
  t.false(await fail(database, second, { code: 'INTERNAL', message: '' }));
  t.like(await readJob(database, job), { state: 'succeeded', attempts: 2, answer: '"right"' });
});

test('a late answer does not change a canceled job', async (t) => {
  const { database, submitNew, startElsewhere } = await open(t);
  const job = await submitNew();
  const { session, attempt } = await startElsewhere(job);
  const cancelled = await cancelJob(database, job, '');
  t.false(await succeed(database, attempt, '{}'));
  t.false(await giveBack(database, attempt, { delayMs: 0, spent: 0 }));
  t.deepEqual(await readJob(database, job), cancelled);
  t.deepEqual(await findDue(database, []), []);
  t.is(await startAttempt(session, job.jobId), undefined);
});

test('a job that an attempt gives back is due after its delay', async (t) => {
  const { database, submitNew, startElsewhere, age } = await open(t);
  const job = await submitNew();
  const { session, attempt } = await startElsewhere(job);
  t.true(await giveBack(database, attempt, { delayMs: DAY_MS, spent: 3 }));
  t.deepEqual(await findDue(database, []), []);
  t.is(await startAttempt(session, job.jobId), undefined);
  await age(job.jobId, DAY_MS);
  t.deepEqual(await findDue(database, []), [job.jobId]);
  t.like(await startAttempt(session, job.jobId), { attempts: 2, spent: 3 });
});

test('a job whose service is unavailable is tried again, and its lock is released at its end', async (t) => {
  const { start, submitNew, endOf, openSession } = await open(t);
  const job = await submitNew();
  let failures = 0;
  start((work, signal) => {
    if (failures === 2) return answer(work, signal);
    failures += 1;
    const error = { code: status.UNAVAILABLE, details: 'no connection', metadata: new Metadata() };
    return Promise.reject(new CallError(Object.assign(new Error('no connection'), error)));
  });
  t.like(await endOf(job), { state: 'succeeded', attempts: 3 });
  const session = await openSession();
  await until(() => session.tryLock(`job/${job.jobId}`));
});

test('a worker that closes gives its jobs back, at no cost to their budget', async (t) => {
  const { database, start, submitNew } = await open(t);
  const job = await submitNew();
  let isStarted = false;
  let isAborted = false;
  const worker = start(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        isStarted = true;
        signal.addEventListener('abort', () => {
          isAborted = true;
          reject(new Error('aborted'));
        });
      }),
  );
  await until(() => isStarted);
  await worker.close();
  t.true(isAborted);
  const { rows: stored } = await sql`SELECT state, attempts, spent, due_at <= clock_timestamp() AS "isDue"
    FROM job WHERE job_id = ${job.jobId}`.execute(database);
  t.deepEqual(stored, [{ state: 'queued', attempts: 1, spent: 0, isDue: true }]);
});

test('only jobs that ended long enough ago are deleted, which frees their idempotency keys', async (t) => {
  const { database, submitNew, age } = await open(t);
  const [old, young, waiting] = await Promise.all([submitNew(), submitNew(), submitNew()]);
  for (const job of [old, young]) await cancelJob(database, job, '');
  await age(old.jobId, 7 * DAY_MS);
  await age(young.jobId, 7 * DAY_MS - 60_000);
  await deleteEndedJobs(database, 7 * DAY_MS);
  await t.throwsAsync(readJob(database, old), { message: /no such job/ });
  t.is((await readJob(database, young)).state, 'cancelled');
  t.is((await readJob(database, waiting)).state, 'queued');
  t.not((await submitJob(database, old.submission)).jobId, old.jobId);
});
