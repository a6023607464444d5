import test from 'ava';
import fastify from 'fastify';
import { registerMetrics } from '../../../gateway/http/metrics.ts';

const QUIET = {
  readClockSkews: () => new Map<string, number>(),
  countPayments: async () => new Map<string, number>(),
  readJournalLag: async () => ({ entries: 0, seconds: 0 }),
  countCalls: () => ({ running: 1, waiting: 2, limit: 3 }),
  countRefused: () => 4,
};

test('/metrics is rendered at most twice a second', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  let nowMs = 0;
  let rendered = 0;
  const readClockSkews = () => {
    rendered += 1;
    return new Map([['redis', rendered]]);
  };
  registerMetrics(app, { ...QUIET, readClockSkews, monotonicMs: () => nowMs });
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

test('payments are counted by state, and not at all while the payments service does not answer', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  let nowMs = 0;
  let counts: Promise<ReadonlyMap<string, number>> = Promise.resolve(new Map([['lost', 2]]));
  registerMetrics(app, { ...QUIET, countPayments: () => counts, monotonicMs: () => nowMs });
  const lost = async () =>
    /^tollhouse_retained_payments\{state="lost"\} (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1];
  t.is(await lost(), '2');
  counts = Promise.reject(new Error('no answer'));
  nowMs = 1000;
  t.is(await lost(), undefined);
});

test('the lag of the copied journal is NaN while the back office does not answer', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  let nowMs = 0;
  let lag = Promise.resolve({ entries: 7, seconds: 1.5 });
  registerMetrics(app, { ...QUIET, readJournalLag: () => lag, monotonicMs: () => nowMs });
  const read = async () =>
    Array.from(
      (await app.inject('/metrics')).body.matchAll(/^tollhouse_ledger_(?:uncopied_entries|copy_lag_seconds) (.+)$/gm),
      ([, value]) => value,
    );
  t.deepEqual(await read(), ['7', '1.5']);
  lag = Promise.reject(new Error('no answer'));
  nowMs = 1000;
  t.deepEqual(await read(), ['Nan', 'Nan']);
});
