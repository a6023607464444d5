import test from 'ava';
import { untilIdle } from '../../../../../scripts/lab/load/beside/until-idle.ts';

const NEVER = new AbortController().signal;

/** CPU seconds that grow by each of these, and then by the last again and again. */
function usage(...growth: readonly number[]) {
  let sum = 0;
  let reads = 0;
  return {
    cpuSeconds: () => {
      sum += growth[Math.min(reads, growth.length - 1)] ?? 0;
      reads += 1;
      return sum;
    },
    reads: () => reads,
  };
}

test('a product is idle once it takes little CPU time', async (t) => {
  const { cpuSeconds, reads } = usage(9, 1, 1, 0);
  t.true(await untilIdle({ cpuSeconds, signal: NEVER, windowMs: 1 }));
  t.is(reads(), 4);
});

test('a product that stays busy is not waited for without end', async (t) => {
  t.false(await untilIdle({ cpuSeconds: usage(1).cpuSeconds, signal: NEVER, windowMs: 1 }));
});

test('a signal ends the wait', async (t) => {
  const interruption = new AbortController();
  const reason = new Error('interrupted');
  const waiting = untilIdle({ cpuSeconds: usage(1).cpuSeconds, signal: interruption.signal, windowMs: 60_000 });
  interruption.abort(reason);
  t.is(await t.throwsAsync(waiting), reason);
});
