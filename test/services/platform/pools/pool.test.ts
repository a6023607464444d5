import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createPool, PoolError } from '../../../../services/platform/pools/pool.ts';
import { STALL_MS, type TestTask } from './test-worker.ts';

const worker = new URL('./test-worker.ts', import.meta.url);

interface Options {
  readonly threads?: number;
  readonly maxQueue?: number;
  readonly memoryMb?: number;
  readonly graceMs?: number;
}

function startPool(t: ExecutionContext, options: Options = {}) {
  const pool = createPool<TestTask, string>({ worker, threads: 1, ...options });
  t.teardown(() => pool.close());
  return pool;
}
const inMs = (ms: number) => ({ deadlineMs: Date.now() + ms });
/** The code with which a task fails. */
const codeOf = (task: Promise<object>) =>
  task.catch((error: unknown) => {
    if (error instanceof PoolError) return error.code;
    throw error;
  });

test('answers a task, and returns a refusal as a value', async (t) => {
  const pool = startPool(t);
  t.deepEqual(await pool.run({ kind: 'answer' }), { ok: true, value: 'done' });
  t.deepEqual(await pool.run({ kind: 'refuse' }), { ok: false, code: 'REFUSED', message: 'no' });
});

for (const [what, code, kind, deadlineMs, options] of [
  ['throws', 'WORKER_FAILED', 'throw', undefined, {}],
  ['spins past its deadline', 'DEADLINE_EXCEEDED', 'spin', 200, {}],
  ['spins past its deadline and its grace', 'DEADLINE_EXCEEDED', 'spin', 100, { graceMs: 50 }],
  ['runs out of memory', 'WORKER_OUT_OF_MEMORY', 'allocate', undefined, { memoryMb: 64 }],
] as const) {
  test(`a task that ${what} is ended with ${code}, and its thread replaced`, async (t) => {
    const pool = startPool(t, options);
    t.is(await codeOf(pool.run({ kind }, deadlineMs === undefined ? {} : inMs(deadlineMs))), code);
    t.is((await pool.run({ kind: 'answer' })).ok, true);
  });
}

test('a deadline and a time limit beyond the range of a timer do not end a task at once', async (t) => {
  const pool = startPool(t);
  const days = 30 * 86_400_000;
  const caller = new AbortController();
  const holding = codeOf(pool.run({ kind: 'spin' }, { ...inMs(days), timeLimitMs: days, signal: caller.signal }));
  const other = codeOf(pool.run({ kind: 'spin' }, { timeLimitMs: 100 }));
  // The task waits for a thread until its deadline, which is much longer than 1 ms, the delay of a timer out of range.
  t.is(await codeOf(pool.run({ kind: 'answer' }, inMs(200))), 'DEADLINE_EXCEEDED');
  caller.abort();
  t.deepEqual(await Promise.all([holding, other]), ['CANCELLED', 'TASK_TOO_SLOW']);
});

test('a task over its time limit is TASK_TOO_SLOW, and the time in the queue does not count', async (t) => {
  const pool = startPool(t);
  const caller = new AbortController();
  const holding = codeOf(pool.run({ kind: 'spin' }, { signal: caller.signal }));
  const slow = codeOf(pool.run({ kind: 'spin' }, { timeLimitMs: 100 }));
  const late = codeOf(pool.run({ kind: 'spin' }, { ...inMs(300), timeLimitMs: 60_000 }));
  t.is(await codeOf(pool.run({ kind: 'answer' }, { ...inMs(200), timeLimitMs: 100 })), 'DEADLINE_EXCEEDED');
  caller.abort();
  t.deepEqual(await Promise.all([holding, slow, late]), ['CANCELLED', 'TASK_TOO_SLOW', 'DEADLINE_EXCEEDED']);
  t.is((await pool.run({ kind: 'answer' })).ok, true);
});

test('the time limit of a task does not count time in which its thread has no CPU', async (t) => {
  // The limit is generous: other work of the machine must not take the thread's CPU for half of it.
  t.is((await startPool(t).run({ kind: 'stall' }, { timeLimitMs: STALL_MS / 2 })).ok, true);
});

test('a caller that goes away ends its task', async (t) => {
  const pool = startPool(t);
  const caller = new AbortController();
  const running = codeOf(pool.run({ kind: 'spin' }, { signal: caller.signal }));
  caller.abort();
  t.is(await running, 'CANCELLED');
  t.is((await pool.run({ kind: 'answer' })).ok, true);
});

test('within its grace, a task that is not awaited any more ends by itself and keeps its thread', async (t) => {
  const pool = startPool(t, { graceMs: 10 * STALL_MS });
  const thread = await pool.run({ kind: 'thread' });
  const caller = new AbortController();
  const running = pool.run({ kind: 'stall' }, { signal: caller.signal });
  const waiting = codeOf(pool.run({ kind: 'answer' }, { signal: caller.signal }));
  await setImmediate();
  caller.abort();
  t.is(await waiting, 'CANCELLED');
  t.true((await running).ok);
  t.deepEqual(await pool.run({ kind: 'thread' }), thread);
});

test('a task that is late or canceled before it is queued never starts', async (t) => {
  const pool = startPool(t);
  t.is(await codeOf(pool.run({ kind: 'answer' }, inMs(-1))), 'DEADLINE_EXCEEDED');
  t.is(await codeOf(pool.run({ kind: 'answer' }, { signal: AbortSignal.abort() })), 'CANCELLED');
});

test('immediately refuses a task over the queue limit', async (t) => {
  const pool = startPool(t, { maxQueue: 2 });
  const caller = new AbortController();
  const held = Array.from({ length: 3 }, () => codeOf(pool.run({ kind: 'spin' }, { signal: caller.signal })));
  t.is(await codeOf(pool.run({ kind: 'answer' })), 'OVERLOADED');
  caller.abort();
  t.deepEqual(await Promise.all(held), ['CANCELLED', 'CANCELLED', 'CANCELLED']);
});

test('starts a second thread for a task that finds the first one busy, and keeps both', async (t) => {
  const pool = startPool(t, { threads: 2 });
  const caller = new AbortController();
  const first = await pool.run({ kind: 'thread' });
  t.deepEqual(await pool.run({ kind: 'thread' }), first);
  const holding = codeOf(pool.run({ kind: 'spin' }, { signal: caller.signal }));
  const second = await pool.run({ kind: 'thread' });
  t.notDeepEqual(second, first);
  t.deepEqual(await pool.run({ kind: 'thread' }), second);
  caller.abort();
  t.is(await holding, 'CANCELLED');
  t.deepEqual(await pool.run({ kind: 'thread' }), second);
});
