import test from 'ava';
import { type Contender, compare } from '../../../../scripts/lab/bench/measure/compare.ts';

const contender = (name: string, perSecond: number, cpuMs: number): Contender => ({
  name,
  run: async () => ({ perSecond, cpuMsByProcess: { gateway: cpuMs, load: 100 } }),
});
const ONCE = { rounds: 1, durationMs: 1 };

test('a comparison reaches its targets only if both the rate and the processor time do', async (t) => {
  const isReached = async (perSecond: number, cpuMs: number) => {
    const [ours, reference] = [contender('ours', perSecond, cpuMs), contender('reference', 100, 2)];
    const targets = { target: 0.8, targetCpuRatio: 1.3 };
    return (await compare({ title: 'calls', ours, reference, ...targets }, ONCE)).isReached;
  };
  t.true(await isReached(80, 2.6));
  t.false(await isReached(79, 2.6));
  t.false(await isReached(80, 2.7));
});

test('the ratio of processor time leaves out the process that sends', async (t) => {
  const { cpuRatio } = await compare(
    { title: 'calls', ours: contender('ours', 1, 3), reference: contender('reference', 1, 2) },
    ONCE,
  );
  t.deepEqual(cpuRatio, { median: 1.5, min: 1.5, max: 1.5 });
});

test('the slowest page of each is named by its median time, without pages that failed', async (t) => {
  const timed = (name: string, rounds: readonly (readonly number[])[]): Contender => {
    let run = 0;
    const rates = () => rounds[run++ % rounds.length] ?? [];
    return { name, pageNames: ['a', 'b', 'c'], run: async () => ({ perSecond: 1, perSecondByPage: rates() }) };
  };
  // The first run is the warm-up. In one round, c takes a second.
  const ours = timed('ours', [[1000, 1000, 1], ...Array(3).fill([100, 50, 200]), [100, 50, 1]]);
  const reference = timed('reference', [[10, Number.NaN, 20]]);
  const result = await compare({ title: 'pages', ours, reference }, { rounds: 4, durationMs: 1 });
  t.deepEqual(result.oursWorst, { name: 'b', ms: 20 });
  t.deepEqual(result.referenceWorst, { name: 'a', ms: 100 });
  t.is(result.rounds, 4);
});
