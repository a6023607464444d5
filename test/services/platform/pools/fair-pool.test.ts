import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createFairPool } from '../../../../services/platform/pools/fair-pool.ts';
import { type Pool, PoolError, type TaskOptions, type WorkerAnswer } from '../../../../services/platform/pools/pool.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { fc } from '../../../kit/fast-check.ts';

const LIMITS = { maxQueuePerTenant: 4, maxQueue: 8, watchdogMs: 60_000 };

/** A pool whose tasks are named `tenant:number` and end when the test ends them. */
function createHeldPool(threads: number) {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const pool: Pick<Pool<string, string>, 'run' | 'threads'> = {
    threads,
    run(task: string, _options?: TaskOptions) {
      begun.push(task);
      const { promise, resolve } = Promise.withResolvers<WorkerAnswer<string>>();
      running.set(task, () => {
        running.delete(task);
        resolve({ ok: true, value: task });
      });
      return promise;
    },
  };
  const end = (task: string) => defined(running.get(task))();
  return { pool, running, begun, end };
}

const tenantOf = (task: string) => task.charAt(0);

test('a tenant holds all threads but one, and another tenant gets the last one at once', async (t) => {
  const { pool, begun } = createHeldPool(3);
  const fair = createFairPool(pool, LIMITS);
  for (const task of ['a:1', 'a:2', 'a:3', 'b:1']) void fair.run(task, { tenant: tenantOf(task) });
  await setImmediate();
  t.deepEqual(begun, ['a:1', 'a:2', 'b:1']);
});

test('waiting tenants take turns', async (t) => {
  const { pool, begun, end } = createHeldPool(1);
  const fair = createFairPool(pool, LIMITS);
  for (const task of ['a:1', 'a:2', 'a:3', 'a:4', 'b:1', 'b:2', 'c:1']) void fair.run(task, { tenant: tenantOf(task) });
  for (let task = 0; task < 7; task++) {
    await setImmediate();
    end(defined(begun.at(-1)));
  }
  t.deepEqual(begun, ['a:1', 'a:2', 'b:1', 'c:1', 'a:3', 'b:2', 'a:4']);
});

test('refuses a tenant with too many waiting tasks, and no other tenant', async (t) => {
  const fair = createFairPool(createHeldPool(1).pool, LIMITS);
  for (let task = 0; task < 5; task++) void fair.run(`a:${task}`, { tenant: 'a' });
  t.is((await t.throwsAsync(fair.run('a:5', { tenant: 'a' }), { instanceOf: PoolError })).code, 'OVERLOADED');
  for (let task = 0; task < 4; task++) void fair.run(`b:${task}`, { tenant: 'b' });
  t.is((await t.throwsAsync(fair.run('c:0', { tenant: 'c' }), { instanceOf: PoolError })).code, 'OVERLOADED');
  t.is(fair.queued(), 8);
});

test('a tenant with priority may hold every thread, and goes before the others', async (t) => {
  const { pool, begun, end } = createHeldPool(2);
  const fair = createFairPool(pool, { ...LIMITS, priority: { has: (tenant) => tenant === 'p', longestRun: 2 } });
  for (const task of ['a:1', 'a:2', 'p:1', 'p:2', 'p:3']) void fair.run(task, { tenant: tenantOf(task) });
  await setImmediate();
  t.deepEqual(begun, ['a:1', 'p:1']);
  for (const ended of ['p:1', 'a:1']) {
    end(ended);
    await setImmediate();
  }
  t.deepEqual(begun, ['a:1', 'p:1', 'p:2', 'p:3']);
  end('p:2');
  await setImmediate();
  t.is(begun.at(-1), 'a:2');
});

test('a waiting tenant without priority gets a turn after the longest run of tasks with priority', async (t) => {
  const { pool, begun, end } = createHeldPool(1);
  const fair = createFairPool(pool, { ...LIMITS, priority: { has: (tenant) => tenant === 'p', longestRun: 2 } });
  const run = (task: string) => void fair.run(task, { tenant: tenantOf(task) });
  for (const task of ['p:0', 'a:1', 'a:2']) run(task);
  for (let i = 1; i <= 7; i += 1) {
    // A task with priority always waits.
    run(`p:${i}`);
    await setImmediate();
    end(defined(begun.at(-1)));
    await setImmediate();
  }
  t.deepEqual(begun, ['p:0', 'p:1', 'p:2', 'a:1', 'p:3', 'p:4', 'a:2', 'p:5']);
});

test('refuses a tenant whose waiting tasks have too many bytes, and no other tenant', async (t) => {
  const { pool, end } = createHeldPool(1);
  const fair = createFairPool(pool, { ...LIMITS, maxQueueBytesPerTenant: 100 });
  const run = (task: string, bytes: number) => fair.run(task, { tenant: tenantOf(task), bytes });
  // A running task does not count: it does not wait.
  for (const [task, bytes] of [
    ['a:1', 500],
    ['a:2', 60],
    ['a:3', 40],
  ] as const)
    void run(task, bytes);
  t.is((await t.throwsAsync(run('a:4', 1), { instanceOf: PoolError })).code, 'OVERLOADED');
  void run('b:1', 100);
  t.is(fair.queued(), 3);
  end('a:1');
  await setImmediate();
  void run('a:5', 60);
  t.is(fair.queued(), 3);
});

test('a waiting task is removed when its caller leaves, and never starts', async (t) => {
  const { pool, begun, end } = createHeldPool(1);
  const fair = createFairPool(pool, LIMITS);
  const caller = new AbortController();
  const first = fair.run('a:1', { tenant: 'a' });
  const second = fair.run('a:2', { tenant: 'a', signal: caller.signal });
  caller.abort();
  t.is((await t.throwsAsync(second, { instanceOf: PoolError })).code, 'CANCELLED');
  end('a:1');
  await first;
  t.deepEqual([begun, fair.queued()], [['a:1'], 0]);
});

test('a task that waits past its deadline fails with DEADLINE_EXCEEDED', async (t) => {
  const fair = createFairPool(createHeldPool(1).pool, LIMITS);
  void fair.run('a:1', { tenant: 'a' });
  // A deadline beyond the range of a timer does not end the wait at once.
  const caller = new AbortController();
  const patient = fair.run('a:3', { tenant: 'a', deadlineMs: Date.now() + 2 ** 31 + 60_000, signal: caller.signal });
  const late = fair.run('a:2', { tenant: 'a', deadlineMs: Date.now() + 20 });
  t.is((await t.throwsAsync(late, { instanceOf: PoolError })).code, 'DEADLINE_EXCEEDED');
  t.is(fair.queued(), 1);
  caller.abort();
  t.is((await t.throwsAsync(patient, { instanceOf: PoolError })).code, 'CANCELLED');
});

test('in any order of calls and ends, no tenant exceeds its share, no usable thread is idle, and every task ends', async (t) => {
  const step = fc.oneof(fc.record({ tenant: fc.constantFrom('a', 'b', 'c') }), fc.record({ ends: fc.nat({ max: 7 }) }));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), async (threads, steps) => {
      const { pool, running, begun } = createHeldPool(threads);
      const fair = createFairPool(pool, LIMITS);
      const waiting = new Set<string>();
      const outcomes: Promise<string>[] = [];
      const share = Math.max(1, threads - 1);
      const countOf = (tenant: string) => [...running.keys()].filter((task) => tenantOf(task) === tenant).length;

      for (const [index, now] of steps.entries()) {
        if ('tenant' in now) {
          const task = `${now.tenant}:${index}`;
          waiting.add(task);
          const forget = () => waiting.delete(task);
          const outcome = fair.run(task, { tenant: now.tenant }).then(
            () => 'ended',
            (error: PoolError) => error.code,
          );
          outcomes.push(outcome.finally(forget));
        } else [...running.values()][now.ends]?.();
        await setImmediate();
        for (const task of begun) waiting.delete(task);
        t.true(running.size <= threads);
        for (const tenant of ['a', 'b', 'c']) t.true(countOf(tenant) <= share);
        const mayBegin = [...waiting].some((task) => running.size < threads && countOf(tenantOf(task)) < share);
        t.false(mayBegin);
        t.is(fair.queued(), waiting.size);
      }
      while (running.size > 0) {
        for (const endTask of [...running.values()]) endTask();
        await setImmediate();
      }
      const ended = (await Promise.all(outcomes)).filter((outcome) => outcome === 'ended');
      t.is(ended.length, begun.length);
      t.is(fair.queued(), 0);
    }),
    { numRuns: 100 },
  );
});
