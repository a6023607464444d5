import test from 'ava';
import { waitForClaim } from '../../../../services/payments/claims/wait-for-claim.ts';

/** Waits as a caller does whose clock moves with each look. */
async function wait(
  steps: readonly ('again' | 'wait' | 'done')[],
  { deadlineMs = 10_000, hasPlace = true, isAborted = false, stepMs = 0 } = {},
) {
  const asked: string[] = [];
  const slept: number[] = [];
  let [looks, nowMs] = [0, 0];
  const found = await waitForClaim({
    claims: {
      enterQueues(keys) {
        asked.push(`enter ${keys}`);
        return hasPlace ? () => void asked.push('leave') : undefined;
      },
    },
    caller: { deadlineMs, signal: isAborted ? AbortSignal.abort() : new AbortController().signal },
    now: () => nowMs,
    sleep: async (ms) => void slept.push(ms),
    queues: ['a', 'b'],
    async attempt() {
      const step = steps[Math.min(looks, steps.length - 1)] ?? 'done';
      looks += 1;
      nowMs += stepMs;
      return step;
    },
  });
  return { found, looks, asked, slept };
}

test('a caller that finds its answer waits for nothing', async (t) => {
  t.deepEqual(await wait(['done']), { found: 'done', looks: 1, asked: [], slept: [] });
  t.deepEqual(await wait(['again', 'done']), { found: 'done', looks: 2, asked: [], slept: [] });
});

test('a caller that waits takes a place, looks at once, and leaves it', async (t) => {
  const asked = ['enter a,b', 'leave'];
  t.deepEqual(await wait(['wait', 'done']), { found: 'done', looks: 2, asked, slept: [] });
  t.deepEqual(await wait(['wait', 'wait', 'wait', 'done']), { found: 'done', looks: 4, asked, slept: [50, 100] });
  t.deepEqual(await wait(['again', 'again', 'done']), { found: 'done', looks: 3, asked, slept: [] });
  t.deepEqual(await wait(['wait'], { hasPlace: false }), {
    found: undefined,
    looks: 1,
    asked: ['enter a,b'],
    slept: [],
  });
});

test('a caller looks less and less often, but at least four times a second, and for the last time when its time is over', async (t) => {
  const waiting = Array.from({ length: 7 }, () => 'wait' as const);
  t.deepEqual((await wait([...waiting, 'done'])).slept, [50, 100, 200, 250, 250, 250]);
  t.deepEqual((await wait(['wait'], { deadlineMs: 1500, stepMs: 155 })).slept, [50, 35]);
});

test('a caller waits until a second before its deadline, and half a minute without one', async (t) => {
  for (const [deadlineMs, stepMs, looks] of [
    [2000, 1000, 1],
    [2001, 1000, 2],
    [Number.POSITIVE_INFINITY, 30_000, 1],
    [Number.POSITIVE_INFINITY, 29_999, 2],
  ] as const) {
    const waited = await wait(['wait'], { deadlineMs, stepMs });
    t.deepEqual([waited.found, waited.looks], [undefined, looks]);
  }
  t.like(await wait(['wait'], { isAborted: true }), { found: undefined, looks: 1, asked: [] });
});
