import test from 'ava';
import fastify from 'fastify';
import { registerMetrics } from '../../../gateway/http/metrics.ts';

test('/metrics is rendered at most twice a second', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  let nowMs = 0;
  let rendered = 0;
  const readClockSkews = () => {
    rendered += 1;
    return new Map([['redis', rendered]]);
  };
  registerMetrics(app, { readClockSkews, monotonicMs: () => nowMs });
  const skews = async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject('/metrics')));
    return new Set(
      answers.map(({ body }) => /^tollhouse_clock_skew_seconds\{server="redis"\} (\d+)$/m.exec(body)?.[1]),
    );
  };
  t.deepEqual(await skews(), new Set(['1']));
  nowMs = 499;
  t.deepEqual(await skews(), new Set(['1']));
  nowMs = 500;
  t.deepEqual(await skews(), new Set(['2']));
  t.is(rendered, 2);
});
