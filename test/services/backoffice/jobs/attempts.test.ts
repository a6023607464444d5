import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { createAttempts } from '../../../../services/backoffice/jobs/attempts.ts';
import { followJobs } from '../../../../services/backoffice/jobs/job-changes.ts';
import { createJobRecords } from '../../../../services/backoffice/jobs/job-records.ts';
import { createRunner } from '../../../../services/backoffice/jobs/runner.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { newSubmission } from './harness.ts';

const LEASE_MS = 30_000;
const DAY_MS = 86_400_000;
const logger = createLogger({ name: 'test', level: 'silent' });

/** Opens a database without other jobs. */
async function open(t: ExecutionContext) {
  const { url, database, stop } = await createTestDatabase();
  t.teardown(stop);
  const records = createJobRecords(database);
  const attempts = createAttempts({ database, leaseMs: LEASE_MS });
  return {
    url,
    database,
    records,
    attempts,
    async submitNew() {
      const submission = newSubmission();
      const { jobId } = await records.submit(submission);
      return { submission, jobId, tenantId: submission.caller.tenantId };
    },
    started: async () => defined(await attempts.startNext()),
    /** Moves the times of a job into the past, as if `ms` had passed. */
    age: (jobId: string, ms: number) =>
      sql`UPDATE job SET due_at = due_at - make_interval(secs => ${ms / 1000}),
        ended_at = ended_at - make_interval(secs => ${ms / 1000}) WHERE job_id = ${jobId}`.execute(database),
  };
}

test('only one of twenty workers starts a job, with the submitted work', async (t) => {
  const { attempts, submitNew } = await open(t);
  const { jobId, submission } = await submitNew();
  const all = await Promise.all(Array.from({ length: 20 }, () => attempts.startNext()));
  const [attempt, ...others] = all.filter((each) => each !== undefined);
  t.deepEqual(others, []);
  t.like(attempt, { jobId, attempts: 1, spent: 0, caller: submission.caller, work: submission.work });
});

test('a job that cannot be read ends, and the next one starts', async (t) => {
  const { database, attempts, submitNew } = await open(t);
  const { jobId } = await submitNew();
  await sql`UPDATE job SET caller = 'null' WHERE job_id = ${jobId}`.execute(database);
  const next = await submitNew();
  await t.throwsAsync(attempts.startNext());
  t.like(await attempts.startNext(), { jobId: next.jobId });
  const { rows } = await sql`SELECT state, error_code FROM job WHERE job_id = ${jobId}`.execute(database);
  t.deepEqual(rows, [{ state: 'failed', error_code: 'INTERNAL' }]);
});

test('a running job starts again only after its lease, and a renewal extends the lease', async (t) => {
  const { attempts, submitNew, started, age } = await open(t);
  const { jobId } = await submitNew();
  const first = await started();
  await age(jobId, LEASE_MS - 5000);
  t.is(await attempts.startNext(), undefined);
  t.true(await attempts.renew(first));
  await age(jobId, LEASE_MS - 5000);
  t.is(await attempts.startNext(), undefined);
  await age(jobId, LEASE_MS);
  t.is((await started()).attempts, 2);
});

test('the result of an attempt that lost its job is dropped', async (t) => {
  const { records, attempts, submitNew, started, age } = await open(t);
  const { jobId, tenantId } = await submitNew();
  const first = await started();
  await age(jobId, LEASE_MS);
  const second = await started();
  t.false(await attempts.renew(first));
  t.false(await attempts.end(first, { state: 'succeeded', answer: '"late"' }));
  t.false(await attempts.giveBack(first, { delayMs: 0, spent: 0 }));
  t.true(await attempts.end(second, { state: 'succeeded', answer: '"right"' }));
  t.false(await attempts.end(second, { state: 'failed', code: 'INTERNAL', message: '' }));
  t.like(await records.read({ tenantId, jobId }), { state: 'succeeded', attempts: 2, answer: '"right"' });
});

test('a late answer does not change a canceled job', async (t) => {
  const { records, attempts, submitNew, started } = await open(t);
  const { jobId, tenantId } = await submitNew();
  const attempt = await started();
  const cancelled = await records.cancel({ tenantId, jobId, keyGroup: '' });
  t.false(await attempts.end(attempt, { state: 'succeeded', answer: '{}' }));
  t.false(await attempts.giveBack(attempt, { delayMs: 0, spent: 0 }));
  t.deepEqual(await records.read({ tenantId, jobId }), cancelled);
  t.is(await attempts.startNext(), undefined);
});

test('a job that an attempt gives back is due after its delay', async (t) => {
  const { attempts, submitNew, started, age } = await open(t);
  const { jobId } = await submitNew();
  t.true(await attempts.giveBack(await started(), { delayMs: DAY_MS, spent: 3 }));
  t.is(await attempts.startNext(), undefined);
  await age(jobId, DAY_MS);
  t.like(await started(), { attempts: 2, spent: 3 });
});

test('a job of a kind that this release does not know is left to a later release', async (t) => {
  const { url, database, records, attempts, submitNew, started, age } = await open(t);
  const { jobId, tenantId } = await submitNew();
  await sql`UPDATE job SET work = '{"laterOperation":{}}' WHERE job_id = ${jobId}`.execute(database);
  const changes = followJobs({ databaseUrl: url, logger });
  t.teardown(() => changes.close());
  const refuse = { fault: () => undefined, run: () => Promise.reject(new Error('unexpected')) };
  const workTypes = { verifyExecution: refuse };
  const options = { attempts: attempts, changes, workTypes, leaseMs: LEASE_MS, firstRetryMs: 1000, logger };
  const runner = createRunner(options);
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const delayMs = Math.min(2 ** (attempt - 1), 60) * 1000;
    await runner.run(await started(), performance.now());
    await age(jobId, delayMs - 1000);
    t.is(await attempts.startNext(), undefined);
    t.like(await records.read({ tenantId, jobId }), { state: 'queued', attempts: attempt });
    await age(jobId, 1000);
  }
  t.is((await started()).spent, 0);
});

test('only jobs that ended long enough ago are deleted, which frees their idempotency keys', async (t) => {
  const { records, attempts, submitNew, age } = await open(t);
  const [old, young, waiting] = await Promise.all([submitNew(), submitNew(), submitNew()]);
  for (const { jobId, tenantId } of [old, young]) await records.cancel({ tenantId, jobId, keyGroup: '' });
  await age(old.jobId, 7 * DAY_MS);
  await age(young.jobId, 7 * DAY_MS - 60_000);
  t.is(await attempts.deleteEnded({ olderThanMs: 7 * DAY_MS, limit: 1000 }), 1);
  await t.throwsAsync(records.read(old), { message: /no such job/ });
  t.is((await records.read(young)).state, 'cancelled');
  t.is((await records.read(waiting)).state, 'queued');
  t.not((await records.submit(old.submission)).jobId, old.jobId);
});
