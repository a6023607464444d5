import test from 'ava';
import { describeAgent } from '../../../../gateway/pages/programs/describe.ts';
import { CHANNELS, TERMS } from '../../access/offer/offer-fixture.ts';

const CONTACT = { name: 'Operator of api.example.com', email: 'support@example.com' };

const describe = (terms: typeof TERMS & { readonly channels?: typeof CHANNELS }) =>
  describeAgent(
    {
      contact: CONTACT,
      terms,
      dailyBudgetMicroUsd: 7n,
      operations: [],
      verified: { endpoints: [] },
      toolEndpoints: [],
    },
    'https://api.example.com',
  );

test('agent.json has the contact, the network of payments and grant, and the schemes that are offered', (t) => {
  const { network, asset } = TERMS;
  const payment = { protocol: 'x402', version: 2, network, asset };
  t.like(describe(TERMS), {
    contact: CONTACT,
    payment: { ...payment, schemes: ['exact'] },
    trial: { network, grantMicroUsd: '50000', dailyBudgetMicroUsd: '7' },
  });
  const both = { ...payment, schemes: ['exact', 'batch-settlement'] };
  t.like(describe({ ...TERMS, channels: CHANNELS }), { payment: both });
});

test('agent.json does not name channels that are not offered any more', (t) => {
  t.like(describe({ ...TERMS, channels: { ...CHANNELS, offered: false } }), { payment: { schemes: ['exact'] } });
});
