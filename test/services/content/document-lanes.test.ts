import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createDocumentLanes } from '../../../services/content/document-lanes.ts';
import { createPool, type Pool, type PoolError } from '../../../services/platform/pools/pool.ts';
import type { HtmlBatch, MarkdownBatch } from '../../../workers/html-to-markdown/worker.ts';

const MIB = 1024 * 1024;
const LIMITS = { maxQueue: 64, maxQueueBytes: 64 * MIB };
const worker = new URL('../../../workers/html-to-markdown/worker.ts', import.meta.url);
const start = (threads: number): Pool<HtmlBatch, MarkdownBatch> => createPool({ worker, threads });
const large = `<p>${'<b>a</b> '.repeat(60_000)}</p>`.padEnd(MIB, ' ');

for (const threads of [1, 2]) {
  test(`small documents end before 40 large ones that came first, with ${threads} threads`, async (t) => {
    const pool = start(threads);
    const lanes = createDocumentLanes(pool, LIMITS);
    const ended: string[] = [];
    const caller = new AbortController();
    const run = (kind: string, html: string) =>
      lanes.run({ documents: [{ html }] }, { signal: caller.signal }).then(() => ended.push(kind));
    const many = Array.from({ length: 40 }, () => run('large', large));
    const allEnded = Promise.allSettled(many);
    await Promise.all(Array.from({ length: 20 }, () => run('small', '<p>small')));
    // At most one large document ends: the one that already had a thread.
    t.true(ended.filter((kind) => kind === 'large').length <= 1, ended.join(' '));
    // Large documents are converted once no small one waits.
    await Promise.any(many);
    t.true(ended.includes('large'));
    caller.abort();
    await allEnded;
    await pool.close();
  });
}

test('a byte limit bounds the large documents that wait, and does not refuse small ones', async (t) => {
  let running = 0;
  const held = Promise.withResolvers<{ ok: true; value: MarkdownBatch }>();
  const pool = {
    threads: 1,
    run: () => {
      running += 1;
      return held.promise;
    },
  };
  const lanes = createDocumentLanes(pool, LIMITS);
  const outcomes = Array.from({ length: 40 }, () => {
    return lanes.run({ documents: [{ html: 'a'.repeat(8 * MIB) }] }).then(
      () => 'answered',
      (error: PoolError) => error.code,
    );
  });
  await setImmediate();
  const small = lanes.run({ documents: [{ html: 'a' }] });
  held.resolve({ ok: true, value: [] });
  t.is((await small).ok, true);
  const counts = Object.groupBy(await Promise.all(outcomes), (outcome) => outcome);
  // One runs, and eight documents of 8 MiB wait.
  t.deepEqual([counts['answered']?.length, counts['OVERLOADED']?.length], [9, 31]);
  t.is(running, 10);
});
