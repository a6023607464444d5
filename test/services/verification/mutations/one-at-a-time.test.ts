import test from 'ava';
import { createOneAtATime } from '../../../../services/verification/mutations/one-at-a-time.ts';

test('runs work of one name in turn, even after a failure, and work of other names in parallel', async (t) => {
  const oneAtATime = createOneAtATime();
  const log: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = oneAtATime('a', async () => {
    log.push('first');
    await held.promise;
    throw new Error('first');
  });
  const second = oneAtATime('a', async () => log.push('second'));
  const third = oneAtATime('a', async () => log.push('third'));
  await oneAtATime('b', async () => log.push('other'));
  t.deepEqual(log, ['first', 'other']);
  held.resolve();
  await t.throwsAsync(first, { message: 'first' });
  await Promise.all([second, third]);
  t.deepEqual(log, ['first', 'other', 'second', 'third']);
});
