import test from 'ava';
import { createOneAtATime } from '../../../../services/verification/mutations/one-at-a-time.ts';

test('work of one name is done in turn, whether the one before succeeds or not, and of another name beside it', async (t) => {
  const oneAtATime = createOneAtATime();
  const log: string[] = [];
  let finish: (() => void) | undefined;
  const first = oneAtATime('a', async () => {
    log.push('first');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    throw new Error('first');
  });
  const second = oneAtATime('a', async () => log.push('second'));
  const third = oneAtATime('a', async () => log.push('third'));
  await oneAtATime('b', async () => log.push('other'));
  t.deepEqual(log, ['first', 'other']);
  finish?.();
  await t.throwsAsync(first, { message: 'first' });
  await Promise.all([second, third]);
  t.deepEqual(log, ['first', 'other', 'second', 'third']);
});
