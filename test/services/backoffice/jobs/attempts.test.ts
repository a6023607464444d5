import test from 'ava';
import { sql } from 'kysely';
import { createAttempts } from '../../../../services/backoffice/jobs/attempts.ts';
import { followJobs } from '../../../../services/backoffice/jobs/job-changes.ts';
import { createJobRecords } from '../../../../services/backoffice/jobs/job-records.ts';
import { createRunner } from '../../../../services/backoffice/jobs/runner.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newSubmission } from './harness.ts';

const LEASE_MS = 30_000;
const DAY_MS = 86_400_000;
const logger = createLogger({ name: 'test', level: 'silent' });
const { url, database, stop } = await createTestDatabase();
test.after.always(stop);

const records = () => createJobRecords(database);
const attempts = () => createAttempts({ database, leaseMs: LEASE_MS });

async function submitNew() {
  const submission = newSubmission();
  const { jobId } = await records().submit(submission);
  return { submission, jobId, tenantId: submission.caller.tenantId };
}

async function claimed(jobId: string) {
  return defined(await attempts().start(jobId));
}

/** Moves the times of a job into the past, as if `ms` had passed. */
const age = (jobId: string, ms: number) =>
  sql`UPDATE job SET due_at = due_at - make_interval(secs => ${ms / 1000}),
    ended_at = ended_at - make_interval(secs => ${ms / 1000}) WHERE job_id = ${jobId}`.execute(database);

test('only one of twenty workers starts a job, with the submitted work', async (t) => {
  const { jobId, submission } = await submitNew();
  const all = await Promise.all(Array.from({ length: 20 }, () => attempts().start(jobId)));
  const [attempt, ...others] = all.filter((each) => each !== undefined);
  t.deepEqual(others, []);
  t.like(attempt, { jobId, attempts: 1, spent: 0, caller: submission.caller, work: submission.work });
});

test('a running job starts again only after its lease, and a renewal extends the lease', async (t) => {
  const { jobId } = await submitNew();
  const first = await claimed(jobId);
  await age(jobId, LEASE_MS - 5000);
  t.is(await attempts().start(jobId), undefined);
  t.true(await attempts().renew(first));
  await age(jobId, LEASE_MS - 5000);
  t.is(await attempts().start(jobId), undefined);
  await age(jobId, LEASE_MS);
  t.is((await claimed(jobId)).attempts, 2);
});

test('the result of an attempt that lost its job is dropped', async (t) => {
  const { jobId, tenantId } = await submitNew();
  const first = await claimed(jobId);
  await age(jobId, LEASE_MS);
  const second = await claimed(jobId);
  t.false(await attempts().renew(first));
  t.false(await attempts().end(first, { state: 'succeeded', answer: '"late"' }));
  t.false(await attempts().giveBack(first, { delayMs: 0, spent: 0 }));
  t.true(await attempts().end(second, { state: 'succeeded', answer: '"right"' }));
  t.false(await attempts().end(second, { state: 'failed', code: 'INTERNAL', message: '' }));
  t.like(await records().read({ tenantId, jobId }), { state: 'succeeded', attempts: 2, answer: '"right"' });
});

test('a late answer does not change a canceled job', async (t) => {
  const { jobId, tenantId } = await submitNew();
  const attempt = await claimed(jobId);
  const cancelled = await records().cancel({ tenantId, jobId, keyGroup: '' });
  t.false(await attempts().end(attempt, { state: 'succeeded', answer: '{}' }));
  t.false(await attempts().giveBack(attempt, { delayMs: 0, spent: 0 }));
  t.deepEqual(await records().read({ tenantId, jobId }), cancelled);
  t.is(await attempts().start(jobId), undefined);
});

test('a job that an attempt gives back is due after its delay', async (t) => {
  const { jobId } = await submitNew();
  t.true(await attempts().giveBack(await claimed(jobId), { delayMs: DAY_MS, spent: 3 }));
  const isDue = async () => (await attempts().due(1000)).some((each) => each.jobId === jobId);
  t.false(await isDue());
  t.is(await attempts().start(jobId), undefined);
  await age(jobId, DAY_MS);
  t.true(await isDue());
  t.like(await claimed(jobId), { attempts: 2, spent: 3 });
});

test('a job of a kind that this release does not know is left to a later release', async (t) => {
  const { jobId, tenantId } = await submitNew();
  await sql`UPDATE job SET work = '{"laterOperation":{}}' WHERE job_id = ${jobId}`.execute(database);
  const changes = followJobs({ databaseUrl: url, logger });
  t.teardown(() => changes.close());
  const refuse = { fault: () => undefined, run: () => Promise.reject(new Error('unexpected')) };
  const workTypes = { verifyExecution: refuse };
  const options = { attempts: attempts(), changes, workTypes, leaseMs: LEASE_MS, firstRetryMs: 1000, logger };
  const runner = createRunner(options);
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const delayMs = Math.min(2 ** (attempt - 1), 60) * 1000;
    t.deepEqual(await runner.runIfDue(jobId), { jobId, attempts: attempt, delayMs });
    t.like(await records().read({ tenantId, jobId }), { state: 'queued', attempts: attempt });
    await age(jobId, delayMs);
  }
  t.is((await claimed(jobId)).spent, 0);
});

test('only jobs that ended long enough ago are deleted, which frees their idempotency keys', async (t) => {
  const [old, young, open] = await Promise.all([submitNew(), submitNew(), submitNew()]);
  for (const { jobId, tenantId } of [old, young]) await records().cancel({ tenantId, jobId, keyGroup: '' });
  await age(old.jobId, 7 * DAY_MS);
  await age(young.jobId, 7 * DAY_MS - 60_000);
  t.is(await attempts().deleteEnded({ olderThanMs: 7 * DAY_MS, limit: 1000 }), 1);
  await t.throwsAsync(records().read(old), { message: /no such job/ });
  t.is((await records().read(young)).state, 'cancelled');
  t.is((await records().read(open)).state, 'queued');
  t.not((await records().submit(old.submission)).jobId, old.jobId);
});
