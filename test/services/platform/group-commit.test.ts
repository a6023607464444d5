import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createGroupCommit } from '../../../services/platform/group-commit.ts';
import { createByteBound } from '../../../services/platform/grpc/byte-bound.ts';
import { ServiceError } from '../../../services/platform/grpc/service-error.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { fc } from '../../kit/fast-check.ts';

/** A commit that ends when the test ends it. */
function createHeldCommit() {
  const batches: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const commit = (items: readonly string[]) => {
    batches.push(items);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise.then(() => items.map((item) => `${item} is committed`));
  };
  return { commit, batches, ends };
}

/** Some turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}

test('waiting items are committed together up to the limits, and an item over the limit alone', async (t) => {
  const { commit, batches, ends } = createHeldCommit();
  const add = createGroupCommit({ commit, maxItems: 3, maxBytes: 100 });
  const sizes = { a: 1, b: 60, c: 40, d: 1, e: 500, f: 1, g: 1, h: 1, i: 1 };
  const committed = Promise.all(Object.entries(sizes).map(([item, sizeBytes]) => add(item, sizeBytes)));
  for (let at = 0; at < 5; at += 1) {
    await turns();
    defined(ends[at]).resolve();
  }
  t.deepEqual(
    await committed,
    Object.keys(sizes).map((item) => `${item} is committed`),
  );
  t.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e'], ['f', 'g', 'h'], ['i']]);
});

test('a failed commit rejects its own items, and later items are committed', async (t) => {
  const { commit, ends } = createHeldCommit();
  const add = createGroupCommit({ commit, maxItems: 1, maxBytes: 100 });
  const [first, second] = [add('a', 1), add('b', 1)];
  await turns();
  defined(ends[0]).reject(new Error('the disk is full'));
  await t.throwsAsync(first, { message: 'the disk is full' });
  await turns();
  defined(ends[1]).resolve();
  await t.notThrowsAsync(second);
});

test('as many commits are under way as there are lanes', async (t) => {
  const { commit, batches, ends } = createHeldCommit();
  const add = createGroupCommit({ commit, maxItems: 2, maxBytes: 100, lanes: 2 });
  const committed = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => add(item, 1)));
  await turns();
  t.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
  ]);
  for (const { resolve } of ends) resolve();
  await turns();
  t.deepEqual(batches.slice(2), [['e']]);
  defined(ends[2]).resolve();
  t.is((await committed).length, 5);
});

test('every item is committed once, in order, within the limits', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 150 })), async (sizes) => {
      const seen: number[] = [];
      const commit = async (items: readonly number[]) => {
        const bytes = items.reduce((sum, item) => sum + defined(sizes[item]), 0);
        t.true(items.length > 0 && items.length <= 4 && (bytes <= 100 || items.length === 1));
        seen.push(...items);
        return items;
      };
      const add = createGroupCommit({ commit, maxItems: 4, maxBytes: 100 });
      t.deepEqual(await Promise.all(sizes.map((size, item) => add(item, size))), [...sizes.keys()]);
      t.deepEqual(seen, [...sizes.keys()]);
    }),
    { numRuns: 50 },
  );
});

test('a commit without an outcome for every item fails', async (t) => {
  const add = createGroupCommit({ commit: async () => [], maxItems: 4, maxBytes: 100 });
  await t.throwsAsync(add('a', 1), { message: /0 answers to 1 items/ });
});

test('refuses more bytes than may wait, until earlier items are done', async (t) => {
  const hold = createByteBound(100);
  const first = Promise.withResolvers<string>();
  const held = hold(80, () => first.promise);
  const error = await t.throwsAsync(
    hold(21, async () => 'never'),
    { instanceOf: ServiceError },
  );
  t.is(error.code, 'RETENTION_UNAVAILABLE');
  t.is(await hold(20, async () => 'fits'), 'fits');
  first.resolve('done');
  t.is(await held, 'done');
  t.is(await hold(100, async () => 'all'), 'all');
  await t.throwsAsync(hold(100, () => Promise.reject(new Error('failed'))));
  t.is(await hold(100, async () => 'given back'), 'given back');
});
