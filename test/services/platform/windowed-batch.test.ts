import test from 'ava';
import { createWindowedBatch } from '../../../services/platform/windowed-batch.ts';
import { defined } from '../../../workers/exact/defined.ts';

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
  const put = createWindowedBatch({ send, maxItems, windowMs });
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
