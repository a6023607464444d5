import test from 'ava';
import pg from 'pg';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { type RecurringJobs, startRecurringJobs } from '../../../../services/store/recurring/recurring-jobs.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { until } from '../../../kit/until.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const { url, stop } = await createTestDatabase();
test.after.always(stop);

const startCopy = (name: string, run: (signal: AbortSignal) => Promise<unknown>): RecurringJobs =>
  startRecurringJobs({ databaseUrl: url, jobs: [{ name, everyMs: 1, run }], logger });

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('copies take turns, and never run a job at the same time', async (t) => {
  let running = 0;
  let most = 0;
  const runs = [0, 0, 0];
  const copies = runs.map((_, copy) =>
    startCopy('turns', async () => {
      running += 1;
      most = Math.max(most, running);
      runs[copy] = defined(runs[copy]) + 1;
      await nextTurn();
      running -= 1;
    }),
  );
  await until(() => runs.every((count) => count > 3));
  t.is(most, 1);
  await Promise.all(copies.map((copy) => copy.close()));
});

test('a job that fails runs again', async (t) => {
  let runs = 0;
  const copy = startCopy('failing', async () => {
    runs += 1;
    throw new Error('no');
  });
  await until(() => runs > 2);
  await copy.close();
  t.pass();
});

test('a run that loses its lock is aborted, and the job runs again over another connection', async (t) => {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  let stopped = 0;
  let runs = 0;
  const copy = startCopy('losing', async (signal) => {
    runs += 1;
    if (stopped > 0) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    stopped += 1;
  });
  await until(() => runs === 1);
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND objid = (hashtext('losing')::bigint & 4294967295)::oid`);
  await until(() => runs > 2);
  t.is(stopped, 1);
  await copy.close();
});

test('closing aborts the current run and releases the lock', async (t) => {
  let isStopped = false;
  let isRunning = false;
  const first = startCopy('closing', async (signal) => {
    isRunning = true;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    isStopped = true;
  });
  await until(() => isRunning);
  let others = 0;
  const second = startCopy('closing', async () => {
    others += 1;
  });
  await first.close();
  t.true(isStopped);
  await until(() => others > 0);
  await second.close();
});
