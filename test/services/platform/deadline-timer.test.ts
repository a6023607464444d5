import test from 'ava';
import { startDeadlineTimer } from '../../../services/platform/deadline-timer.ts';
import { ownProcess } from '../../kit/own-process.ts';

ownProcess('it looks at the warnings of its process');

test('a deadline that has passed ends at once, without a warning', async (t) => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  await new Promise<void>((resolve) => startDeadlineTimer(resolve, -50));
  await new Promise(setImmediate);
  t.deepEqual(warnings, []);
});

test('a deadline without an end does not end', (t) => {
  const timer = startDeadlineTimer(() => t.fail(), Infinity);
  t.true(timer.hasRef());
  clearTimeout(timer);
});
