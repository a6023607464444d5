import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import {
  createGatheringPool,
  type Gathered,
  type GatheredAnswers,
} from '../../../../services/platform/pools/gathering-pool.ts';
import { createPool, type Pool, PoolError, type WorkerAnswer } from '../../../../services/platform/pools/pool.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const LIMITS = { maxQueue: 8, maxTasks: 4, longestRun: 2 };

function start(t: ExecutionContext) {
  const worker = new URL('./gathering-worker.ts', import.meta.url);
  const pool = createPool<Gathered<string>, GatheredAnswers<string>>({ worker, threads: 1 });
  t.teardown(() => pool.close());
  return createGatheringPool(pool, LIMITS);
}

const resultOf = (answer: WorkerAnswer<string>) => (answer.ok ? answer.value : answer.code);
const codeOf = (error: unknown) => (error instanceof PoolError ? error.code : error);

/** The values of the tasks of one stream, or the codes of their failures. */
const runAll = (pool: ReturnType<typeof start>, tasks: readonly string[], options = {}) => {
  const stream = {};
  return Promise.all(tasks.map((task) => pool.run(task, { ...options, stream }).then(resultOf, codeOf)));
};

test('tasks of a stream cross together, and those that the thread had no time for cross again', async (t) => {
  const pool = start(t);
  t.deepEqual(await runAll(pool, ['a', 'b', 'c', 'd', 'e', 'f']), ['a1', 'b1', 'c1', 'd2', 'e3', 'f3']);
});

test('tasks without a stream cross alone', async (t) => {
  const pool = start(t);
  const answers = await Promise.all(['a', 'b', 'c'].map((task) => pool.run(task)));
  t.deepEqual(answers.map(resultOf), ['a1', 'b2', 'c3']);
});

test('what the worker refuses is the answer to each', async (t) => {
  t.deepEqual(await runAll(start(t), ['a', 'refuse all']), ['REFUSED', 'REFUSED']);
});

test('a task that the worker refuses leaves the others their values', async (t) => {
  t.deepEqual(await runAll(start(t), ['a', 'refuse', 'b']), ['a1', 'REFUSED', 'b1']);
});

for (const bad of ['die', 'throw']) {
  test(`a task that fails its thread (${bad}) fails alone`, async (t) => {
    const values = await runAll(start(t), ['a', bad, 'b', 'c', 'd']);
    t.is(values[1], 'WORKER_FAILED');
    t.deepEqual(
      [0, 2, 3, 4].map((index) => String(values[index]).charAt(0)),
      ['a', 'b', 'c', 'd'],
    );
  });
}

test('an empty list of answers fails its tasks instead of repeating them forever', async (t) => {
  const [first] = await runAll(start(t), ['nothing']);
  t.true(first instanceof Error);
});

test('a stream whose caller has gone runs no more tasks', async (t) => {
  const pool = start(t);
  const caller = new AbortController();
  const running = runAll(pool, ['spin', 'a', 'b', 'c', 'd', 'e'], { signal: caller.signal });
  await setImmediate();
  caller.abort();
  t.deepEqual(new Set(await running), new Set(['CANCELLED']));
  // A thread that is new has seen no crossing.
  t.is(resultOf(await pool.run('next')), 'next1');
});

test('a deadline ends the tasks of a stream', async (t) => {
  const values = await runAll(start(t), ['spin', 'a'], { deadlineMs: Date.now() + 200 });
  t.deepEqual(values, ['DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED']);
});

/** A pool whose crossings end when the test ends them. */
function createHeldPool() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const pool: Pick<Pool<Gathered<string>, GatheredAnswers<string>>, 'run' | 'threads'> = {
    threads: 1,
    run({ tasks }) {
      begun.push(tasks.join(''));
      const { promise, resolve } = Promise.withResolvers<WorkerAnswer<GatheredAnswers<string>>>();
      ends.push(() => resolve({ ok: true, value: tasks.map((value) => ({ ok: true, value })) }));
      return promise;
    },
  };
  const endNext = async () => {
    defined(ends.shift())();
    await setImmediate();
    await setImmediate();
  };
  return { pool, begun, endNext };
}

test('single tasks go first, streams take turns, and a stream waits for a run of single tasks at most', async (t) => {
  const { pool: held, begun, endNext } = createHeldPool();
  const pool = createGatheringPool(held, LIMITS);
  const [one, other] = [{}, {}];
  for (const task of 'aaaaaaaa') void pool.run(task, { stream: one });
  await setImmediate();
  for (const task of 'bbbb') void pool.run(task, { stream: other });
  await setImmediate();
  for (const task of '1234') void pool.run(task);
  for (let crossing = 0; crossing < 7; crossing += 1) await endNext();
  t.deepEqual(begun, ['aaaa', '1', '2', 'bbbb', '3', '4', 'aaaa']);
});

test('more calls than may wait are refused, and what a stream has ready counts once', async (t) => {
  const { pool: held, endNext } = createHeldPool();
  const pool = createGatheringPool(held, { ...LIMITS, maxQueue: 2 });
  void pool.run('0');
  await setImmediate();
  const stream = {};
  const streamed = Array.from({ length: 12 }, () => pool.run('a', { stream }));
  await setImmediate();
  const waiting = pool.run('1');
  await t.throwsAsync(pool.run('2'), { code: 'OVERLOADED' });
  for (let crossing = 0; crossing < 5; crossing += 1) await endNext();
  await Promise.all([waiting, ...streamed]);
  t.pass();
});
