import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createBatcher } from '../../../services/platform/batcher.ts';
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
  const sizes = new Map(Object.entries({ a: 1, b: 60, c: 40, d: 1, e: 500, f: 1, g: 1, h: 1, i: 1 }));
  const bytes = { of: (item: string) => defined(sizes.get(item)), max: 100 };
  const add = createBatcher({ send: commit, maxItems: 3, bytes });
  const committed = Promise.all(Array.from(sizes.keys(), add));
  for (let at = 0; at < 5; at += 1) {
    await turns();
    defined(ends[at]).resolve();
  }
  t.deepEqual(
    await committed,
    Array.from(sizes.keys(), (item) => `${item} is committed`),
  );
  t.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e'], ['f', 'g', 'h'], ['i']]);
});

test('a failed commit rejects its own items, and later items are committed', async (t) => {
  const { commit, ends } = createHeldCommit();
  const add = createBatcher({ send: commit, maxItems: 1 });
  const [first, second] = [add('a'), add('b')];
  await turns();
  defined(ends[0]).reject(new Error('the disk is full'));
  await t.throwsAsync(first, { message: 'the disk is full' });
  await turns();
  defined(ends[1]).resolve();
  await t.notThrowsAsync(second);
});

test('as many commits are under way as there are lanes', async (t) => {
  const { commit, batches, ends } = createHeldCommit();
  const add = createBatcher({ send: commit, maxItems: 2, lanes: 2 });
  const committed = Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));
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
      const add = createBatcher({ send: commit, maxItems: 4, bytes: { of: (item) => defined(sizes[item]), max: 100 } });
      t.deepEqual(await Promise.all(sizes.map((_, item) => add(item))), [...sizes.keys()]);
      t.deepEqual(seen, [...sizes.keys()]);
    }),
    { numRuns: 50 },
  );
});

test('a commit without an outcome for every item fails', async (t) => {
  const add = createBatcher({ send: async () => [], maxItems: 4 });
  await t.throwsAsync(add('a'), { message: /0 answers to 1 items/ });
});

test('lanes that are threads share what waits, and get more before the answers are used', async (t) => {
  const { commit, batches, ends } = createHeldCommit();
  const add = createBatcher({ send: commit, maxItems: 3, lanes: 2, feedsThreads: true });
  const committed = 'abcd'.split('').map(add);
  await turns();
  t.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
  ]);
  const next = ['e', 'f'].map(add);
  const begunThen = committed[0]?.then(() => batches.length);
  defined(ends[0]).resolve();
  t.is(await begunThen, 3);
  for (const { resolve } of ends) resolve();
  t.is((await Promise.all([...committed, ...next])).length, 6);
});

test('items with a key in common are sent one after the other', async (t) => {
  const { commit, batches, ends } = createHeldCommit();
  const add = createBatcher({ send: commit, maxItems: 4, keysOf: (item: string) => item.split('') });
  const committed = Promise.all(['ab', 'c', 'bd', 'e'].map(add));
  await turns();
  defined(ends[0]).resolve();
  await turns();
  defined(ends[1]).resolve();
  await committed;
  t.deepEqual(batches, [
    ['ab', 'c'],
    ['bd', 'e'],
  ]);
});

test('an answer that is a promise fails alone', async (t) => {
  const add = createBatcher<string, string>({
    send: async (items) => items.map((item) => (item === 'bad' ? Promise.reject(new Error(item)) : item)),
    maxItems: 4,
  });
  const [good] = await Promise.all([add('good'), t.throwsAsync(add('bad'), { message: 'bad' })]);
  t.is(good, 'good');
});

/** The longest delay of a timer: items that wait for it never go. */
const NEVER_MS = 2 ** 31 - 1;

/** Collects the groups that are sent, each with the function that answers it. */
function createGroups(windowMs: number, maxItems = 100) {
  const sent: { readonly items: readonly number[]; readonly answer: (answers: readonly string[]) => void }[] = [];
  let notify = () => {};
  const send = (items: readonly number[]) =>
    new Promise<readonly string[]>((answer) => {
      sent.push({ items, answer });
      notify();
    });
  const put = createBatcher({ send, maxItems, windowMs });
  const until = async (count: number) => {
    while (sent.length < count) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
    return defined(sent[count - 1]);
  };
  return { put, until, sent };
}

const named = (items: readonly number[]) => items.map((item) => `answer ${item}`);

test('an item that finds nothing under way does not wait', async (t) => {
  const { put, until } = createGroups(NEVER_MS);
  const answer = put(1);
  const { items, answer: reply } = await until(1);
  reply(named(items));
  t.is(await answer, 'answer 1');
});

test('items that come while a group is under way go together when it ends', async (t) => {
  const { put, until, sent } = createGroups(NEVER_MS);
  const answers = [put(1)];
  const first = await until(1);
  answers.push(put(2), put(3));
  t.is(sent.length, 1);
  first.answer(named(first.items));
  const second = await until(2);
  t.deepEqual(second.items, [2, 3]);
  second.answer(named(second.items));
  t.deepEqual(await Promise.all(answers), named([1, 2, 3]));
});

test('items go beside a group that takes longer than the window, or when there are enough', async (t) => {
  const slow = createGroups(1);
  void slow.put(1);
  await slow.until(1);
  void slow.put(2);
  t.deepEqual((await slow.until(2)).items, [2]);
  const full = createGroups(NEVER_MS, 2);
  void full.put(1);
  await full.until(1);
  for (const item of [2, 3]) void full.put(item);
  t.deepEqual((await full.until(2)).items, [2, 3]);
});

test('a group that fails, or answers too little, fails for its own items only', async (t) => {
  const { put, until } = createGroups(NEVER_MS);
  const first = put(1);
  const group = await until(1);
  const second = put(2);
  group.answer([]);
  await t.throwsAsync(first, { message: /0 answers to 1 items/ });
  const next = await until(2);
  next.answer(named(next.items));
  t.is(await second, 'answer 2');
});
