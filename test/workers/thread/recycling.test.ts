import test from 'ava';
import { createFairPool } from '../../../services/platform/pools/fair-pool.ts';
import { createPool, type PoolError } from '../../../services/platform/pools/pool.ts';
import type { RecyclingTask } from './worker.ts';

const worker = new URL('./worker.ts', import.meta.url);
const start = (threads: number) => createPool<RecyclingTask, number>({ worker, threads, recycling: true });
type Threads = ReturnType<typeof start>;
const threadOf = async (pool: Threads, task: RecyclingTask) => {
  const answer = await pool.run(task);
  return answer.ok ? answer.value : answer.code;
};

test('a thread that is not worn is kept', async (t) => {
  const pool = start(1);
  t.is(await threadOf(pool, 'answer'), await threadOf(pool, 'answer'));
  await pool.close();
});

test('a worn thread answers its task, and another thread answers the next one', async (t) => {
  const pool = start(1);
  const first = await threadOf(pool, 'answer');
  t.is(await threadOf(pool, 'wear'), first);
  t.not(await threadOf(pool, 'answer'), first);
  await pool.close();
});

test('a thread whose task threw is replaced', async (t) => {
  const pool = start(1);
  const first = await threadOf(pool, 'answer');
  t.is((await t.throwsAsync<PoolError>(pool.run('throw')))?.code, 'WORKER_FAILED');
  t.not(await threadOf(pool, 'answer'), first);
  await pool.close();
});

test('no task is lost when threads wear out under many tasks', async (t) => {
  const pool = start(2);
  const tasks = Array.from({ length: 16 }, (_, index): RecyclingTask => (index % 4 === 0 ? 'wear' : 'answer'));
  const threads = await Promise.all(tasks.map((task) => threadOf(pool, task)));
  t.true(threads.every((thread) => typeof thread === 'number'));
  t.true(new Set(threads).size >= 3);
  await pool.close();
});

test('a task that runs past its deadline is terminated', async (t) => {
  const pool = start(1);
  const error = await t.throwsAsync<PoolError>(pool.run('spin', { deadlineMs: Date.now() + 200 }));
  t.is(error?.code, 'DEADLINE_EXCEEDED');
  t.is((await pool.run('answer')).ok, true);
  await pool.close();
});

test('a task that runs past the watchdog has no answer, and its thread is replaced', async (t) => {
  const pool = start(1);
  const fair = createFairPool(pool, { maxQueuePerTenant: 4, maxQueue: 8, watchdogMs: 5000 });
  const spinning = fair.run('spin', { tenant: 'a' });
  const waiting = fair.run('answer', { tenant: 'a' });
  t.is((await t.throwsAsync<PoolError>(spinning))?.code, 'DEADLINE_EXCEEDED');
  t.is((await waiting).ok, true);
  await pool.close();
});
