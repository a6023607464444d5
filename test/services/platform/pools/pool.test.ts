import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createPool, PoolError } from '../../../../services/platform/pools/pool.ts';
import { STALL_MS, type TestTask } from './test-worker.ts';

const worker = new URL('./test-worker.ts', import.meta.url);
const startPool = (
  options: {
    readonly threads?: number;
    readonly maxQueue?: number;
    readonly memoryMb?: number;
    readonly graceMs?: number;
  } = {},
) => createPool<TestTask, string>({ worker, threads: 1, ...options });
const inMs = (ms: number) => ({ deadlineMs: Date.now() + ms });

test('answers a task, and returns a refusal as a value', async (t) => {
  const pool = startPool();
  t.deepEqual(await pool.run({ kind: 'answer' }), { ok: true, value: 'done' });
  t.deepEqual(await pool.run({ kind: 'refuse' }), { ok: false, code: 'REFUSED', message: 'no' });
  await pool.close();
});

test('a worker that throws is WORKER_FAILED, and the next task is answered', async (t) => {
  const pool = startPool();
  const error = await t.throwsAsync(pool.run({ kind: 'throw' }), { instanceOf: PoolError });
  t.is(error.code, 'WORKER_FAILED');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
  await pool.close();
});

test('a task that spins past its deadline is ended, and its thread replaced', async (t) => {
  const pool = startPool();
  const error = await t.throwsAsync(pool.run({ kind: 'spin' }, inMs(200)), { instanceOf: PoolError });
  t.is(error.code, 'DEADLINE_EXCEEDED');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
  await pool.close();
});

test('a deadline and a time limit beyond the range of a timer do not end a task at once', async (t) => {
  const pool = startPool();
  const days = 30 * 86_400_000;
  const caller = new AbortController();
  const holding = t.throwsAsync(
    pool.run({ kind: 'spin' }, { ...inMs(days), timeLimitMs: days, signal: caller.signal }),
    { instanceOf: PoolError },
  );
  const other = t.throwsAsync(pool.run({ kind: 'spin' }, { timeLimitMs: 100 }), { instanceOf: PoolError });
  // The task waits for a thread until its deadline, which is much longer than 1 ms, the delay of a timer out of range.
  const waiting = await t.throwsAsync(pool.run({ kind: 'answer' }, inMs(200)), { instanceOf: PoolError });
  t.is(waiting.code, 'DEADLINE_EXCEEDED');
  caller.abort();
  t.is((await holding)?.code, 'CANCELLED');
  t.is((await other)?.code, 'TASK_TOO_SLOW');
  await pool.close();
});

test('a task over its time limit is TASK_TOO_SLOW, and the time in the queue does not count', async (t) => {
  const pool = startPool();
  const caller = new AbortController();
  const holding = t.throwsAsync(pool.run({ kind: 'spin' }, { signal: caller.signal }), { instanceOf: PoolError });
  const slow = t.throwsAsync(pool.run({ kind: 'spin' }, { timeLimitMs: 100 }), { instanceOf: PoolError });
  const late = t.throwsAsync(pool.run({ kind: 'spin' }, { ...inMs(300), timeLimitMs: 60_000 }), {
    instanceOf: PoolError,
  });
  const waited = t.throwsAsync(pool.run({ kind: 'answer' }, { ...inMs(200), timeLimitMs: 100 }), {
    instanceOf: PoolError,
  });
  t.is((await waited)?.code, 'DEADLINE_EXCEEDED');
  caller.abort();
  t.is((await holding)?.code, 'CANCELLED');
  t.is((await slow)?.code, 'TASK_TOO_SLOW');
  t.is((await late)?.code, 'DEADLINE_EXCEEDED');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
  await pool.close();
});

test('the time limit of a task does not count time in which its thread has no CPU', async (t) => {
  const pool = startPool();
  // The limit is generous: other work of the machine must not take the thread's CPU for half of it.
  t.is((await pool.run({ kind: 'stall' }, { timeLimitMs: STALL_MS / 2 })).ok, true);
  await pool.close();
});

test('a caller that goes away ends its task', async (t) => {
  const pool = startPool();
  const caller = new AbortController();
  const running = pool.run({ kind: 'spin' }, { signal: caller.signal });
  caller.abort();
  t.is((await t.throwsAsync(running, { instanceOf: PoolError })).code, 'CANCELLED');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
  await pool.close();
});

test('within its grace, a task that is not awaited any more ends by itself and keeps its thread', async (t) => {
  const pool = startPool({ graceMs: 10 * STALL_MS });
  const thread = await pool.run({ kind: 'thread' });
  const caller = new AbortController();
  const running = pool.run({ kind: 'stall' }, { signal: caller.signal });
  const waiting = t.throwsAsync(pool.run({ kind: 'answer' }, { signal: caller.signal }), { instanceOf: PoolError });
  await setImmediate();
  caller.abort();
  t.is((await waiting)?.code, 'CANCELLED');
  t.true((await running).ok);
  t.deepEqual(await pool.run({ kind: 'thread' }), thread);
  await pool.close();
});

test('after its grace, a task is ended with its thread', async (t) => {
  const pool = startPool({ graceMs: 50 });
  const error = await t.throwsAsync(pool.run({ kind: 'spin' }, inMs(100)), { instanceOf: PoolError });
  t.is(error.code, 'DEADLINE_EXCEEDED');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
  await pool.close();
});

test('a task that is late or canceled before it is queued never starts', async (t) => {
  const pool = startPool();
  t.is(
    (await t.throwsAsync(pool.run({ kind: 'answer' }, inMs(-1)), { instanceOf: PoolError })).code,
    'DEADLINE_EXCEEDED',
  );
  t.is(
    (await t.throwsAsync(pool.run({ kind: 'answer' }, { signal: AbortSignal.abort() }), { instanceOf: PoolError }))
      .code,
    'CANCELLED',
  );
  await pool.close();
});

test('a task that runs out of memory ends its worker and not the process', async (t) => {
  const pool = startPool({ memoryMb: 64 });
  t.is((await t.throwsAsync(pool.run({ kind: 'allocate' }), { instanceOf: PoolError })).code, 'WORKER_OUT_OF_MEMORY');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
  await pool.close();
});

test('immediately refuses a task over the queue limit', async (t) => {
  const pool = startPool({ maxQueue: 2 });
  const caller = new AbortController();
  const held = Array.from({ length: 3 }, () =>
    pool.run({ kind: 'spin' }, { signal: caller.signal }).catch((error: PoolError) => error.code),
  );
  const refused = await t.throwsAsync(pool.run({ kind: 'answer' }), { instanceOf: PoolError });
  t.is(refused.code, 'OVERLOADED');
  caller.abort();
  t.deepEqual(await Promise.all(held), ['CANCELLED', 'CANCELLED', 'CANCELLED']);
  await pool.close();
});

test('starts a second thread for a task that finds the first one busy, and keeps both', async (t) => {
  const pool = startPool({ threads: 2 });
  const caller = new AbortController();
  const first = await pool.run({ kind: 'thread' });
  t.deepEqual(await pool.run({ kind: 'thread' }), first);
  const holding = pool.run({ kind: 'spin' }, { signal: caller.signal }).catch((error: PoolError) => error.code);
  const second = await pool.run({ kind: 'thread' });
  t.notDeepEqual(second, first);
  t.deepEqual(await pool.run({ kind: 'thread' }), second);
  caller.abort();
  t.is(await holding, 'CANCELLED');
  t.deepEqual(await pool.run({ kind: 'thread' }), second);
  await pool.close();
});
