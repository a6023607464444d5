import { randomBytes } from 'node:crypto';
import test from 'ava';
import { examineGateway } from '../../../../scripts/cli/tollhouse/doctor/examine-gateway.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { CONVERT, codeOf, headerOf, post, rawRequest } from '../../../kit/client.ts';
import { until } from '../../../kit/until.ts';
import { preparePaid, sendTrial, startOperatorStack, untilFrozen } from '../operator-stack.ts';

const stack = await startOperatorStack();
test.after.always(() => stack.stop());

test.serial('a gateway with another fingerprint key takes no payments and no trials, and says why', async (t) => {
  const [first, second] = [stack.urls[0], defined(stack.urls[1])];
  const send = await preparePaid(first);
  const paid = await send(first);
  t.is(paid.status, 200);
  await stack.kill('gateway1');
  await stack.start('gateway1', { FINGERPRINT_KEY: randomBytes(32).toString('base64') }, { withoutTrials: true });
  const { text } = await rawRequest(`${second}/health/ready`, { method: 'GET' });
  t.regex(text, /"trials":"FINGERPRINT_KEY .+","payments":"FINGERPRINT_KEY /);
  const actions = (await examineGateway(second)).map(({ check, action }) => [check, action?.replace(/ from.*/, '')]);
  const restore = 'restore FINGERPRINT_KEY';
  t.like(Object.fromEntries(actions), { 'gateway.trials': restore, 'gateway.payments': restore });
  t.is(codeOf(await send(second)), 'SERVICE_UNAVAILABLE');
  t.is(headerOf(await post(second + CONVERT, { html: '<p>x' }), 'x-trial-status'), 'unavailable');
  await stack.kill('gateway1');
  await stack.start('gateway1');
  await stack.kill('gateway0');
  await stack.start('gateway0', { FINGERPRINT_KEY: randomBytes(32).toString('base64') }, { withoutTrials: true });
  t.like((await stack.get('/facts')).json, { calls: { state: 'other_key', isFrozen: false } });
  await stack.kill('gateway0');
  await stack.start('gateway0');
  const again = await send(second);
  t.deepEqual([again.status, again.text], [200, paid.text]);
});

test.serial('a freeze outlives every process, and the page works without the back office', async (t) => {
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
