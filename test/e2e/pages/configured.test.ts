import test from 'ava';
import { operations } from '../../../gateway/operations/index.ts';
import { CONVERT, post, rawRequest, requirementsOf } from '../../kit/client.ts';
import { startExtraGateway } from '../../kit/extra-gateway.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';

const stack = await useSharedStack();
const gateway = await startExtraGateway(stack, {
  CONTACT: 'mailto:support@example.com',
  RETENTION_DAYS: '7',
  TRIAL_DAILY_BUDGET_MICRO_USD: '123000',
});
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});
const get = (path: string) => rawRequest(gateway.url + path, { method: 'GET' });

test('agent.json has the configured contact and budget, and the terms of the offers', async (t) => {
  const { accepts } = requirementsOf(await post(gateway.url + CONVERT, { html: '<p>a' }));
  const [{ network, asset }] = accepts;
  t.like((await get('/.well-known/agent.json')).json, {
    contact: { email: 'support@example.com' },
    payment: { schemes: accepts.map(({ scheme }) => scheme), network, asset },
    trial: { network, dailyBudgetMicroUsd: '123000' },
  });
  t.like((await get('/openapi.json')).json, { info: { contact: { email: 'support@example.com' } } });
});

test('the pages of operations have the configured days of retention', async (t) => {
  for (const { name } of operations) {
    for (const path of [`/apis/${name}`, `/apis/${name}.md`]) {
      t.true((await get(path)).text.includes('deleted asynchronously after 7 days.'), path);
    }
  }
});
