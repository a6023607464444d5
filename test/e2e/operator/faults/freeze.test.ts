import test from 'ava';
import { CONVERT, codeOf, headerOf, post } from '../../../helpers/client.ts';
import { until } from '../../../helpers/until.ts';
import { sendTrial, startOperatorStack, untilFrozen } from '../operator-stack.ts';

const stack = await startOperatorStack();
test.after.always(() => stack.stop());

test('a freeze outlives every process, and the page works without the back office', async (t) => {
  t.is((await stack.send('/freeze', { frozen: true, reason: 'drill' })).status, 200);
  for (const name of ['redis', 'backoffice', 'gateway0']) await stack.kill(name);
  await stack.start('redis');
  await stack.start('backoffice');
  // Trials are stopped, so nobody waits for them.
  await stack.start('gateway0', {}, { withoutTrials: true });
  await untilFrozen(stack.urls[0], true);
  t.is(headerOf(await post(stack.urls[0] + CONVERT, { html: '<p>x' }), 'x-trial-status'), 'unavailable');
  await stack.kill('backoffice');
  const { status, json } = await stack.get('/facts');
  t.is(status, 200);
  t.like(json, { calls: { state: 'frozen' }, reservations: null });
  t.regex(JSON.stringify(json?.['faults']), /"part":"backoffice"/);
  t.is(codeOf(await stack.send('/freeze', { frozen: false, reason: 'drill' })), 'SERVICE_UNAVAILABLE');
  await stack.start('backoffice');
  const unfreeze = async () => (await stack.send('/freeze', { frozen: false, reason: 'drill is over' })).status === 200;
  await until(unfreeze);
  for (const origin of stack.urls) await untilFrozen(origin, false);
  await until(async () => (await sendTrial(stack.urls[0])).status === 200);
  t.pass();
});
