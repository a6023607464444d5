import test from 'ava';
import { createBatch } from '../../../services/platform/batch.ts';

test('sends the items of one turn together, at most 100 at a time, and gives each its own answer', async (t) => {
  const sizes: number[] = [];
  const double = createBatch(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items.map((item) => item * 2);
  });
  const items = Array.from({ length: 250 }, (_, index) => index);
  t.deepEqual(
    await Promise.all(items.map(double)),
    items.map((item) => item * 2),
  );
  t.deepEqual(sizes, [100, 100, 50]);
  t.is(await double(7), 14);
  t.deepEqual(sizes, [100, 100, 50, 1]);
});

test('a failed batch rejects its own items only', async (t) => {
  const send = createBatch(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('refused');
    return items;
  });
  const together = await Promise.allSettled(['good', 'bad'].map(send));
  t.deepEqual(
    together.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.is(await send('good'), 'good');
});

test('a missing answer is an error for the whole batch', async (t) => {
  const send = createBatch(async (items: readonly string[]) => items.slice(1));
  const together = await Promise.allSettled(['a', 'b'].map(send));
  t.true(together.every(({ status }) => status === 'rejected'));
});
