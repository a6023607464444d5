import test from 'ava';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { endRecurring, startRecurringCopy } from '../../../kit/recurring-copy.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { until } from '../../../kit/until.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const { url, stop } = await createTestDatabase();
test.after.always(stop);

const startCopy = (name: string, run: (signal: AbortSignal) => Promise<unknown>) =>
  startRecurringCopy(url, { group: name, jobs: [{ name, everyMs: 1, run }], logger });

test('one copy runs the jobs until it ends, and then another one', async (t) => {
  const runs: number[] = [];
  const copies = [0, 1].map((copy) => startCopy('turns', async () => void runs.push(copy)));
  await until(() => runs.length > 20);
  t.is(new Set(runs).size, 1);
  const first = runs[0] === 0 ? 0 : 1;
  await copies[first]?.close();
  await until(() => runs.includes(1 - first));
  t.false(runs.slice(runs.indexOf(1 - first)).includes(first));
  await copies[1 - first]?.close();
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
  let stopped = 0;
  let runs = 0;
  const copy = startCopy('losing', async (signal) => {
    runs += 1;
    if (stopped > 0) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    stopped += 1;
  });
  await until(() => runs === 1);
  await endRecurring(url, 'losing');
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
