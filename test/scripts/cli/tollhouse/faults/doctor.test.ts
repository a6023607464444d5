import test from 'ava';
import { startStack } from '../../../../kit/stack.ts';
import { until } from '../../../../kit/until.ts';
import { commandsOf } from '../run-command.ts';

const stack = await startStack();
test.after.always(() => stack.stop());

const doctor = () => commandsOf(stack).doctor();

/** Waits until doctor finds these faults, besides the services that this stack lacks. */
const untilFaults = (wanted: readonly string[]) => {
  const expected = [...wanted, 'service.maps', 'service.verification'].toSorted().join();
  return until(async () => (await doctor()).faults.toSorted().join() === expected);
};

test.serial('doctor names the services that do not serve, and nothing else', async (t) => {
  t.true(await untilFaults([]));
  t.is((await doctor()).exitCode, 1);
  await stack.kill('content');
  t.true(await untilFaults(['service.content']));
  await stack.start('content');
  t.true(await untilFaults([]));
});

test.serial('doctor reports servers that do not answer', async (t) => {
  await Promise.all([stack.kill('redis'), stack.kill('postgres')]);
  const { exitCode, faults } = await doctor();
  t.is(exitCode, 1);
  for (const check of ['postgresql', 'redis']) t.true(faults.includes(check), faults.join());
});
