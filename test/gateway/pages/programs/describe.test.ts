import test from 'ava';
import { describeAgent } from '../../../../gateway/pages/programs/describe.ts';

const TERMS = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: '0x0000000000000000000000000000000000000001',
  maxTimeoutSeconds: 180,
};
const CHANNELS = {
  offered: true,
  receiverAuthorizer: TERMS.payTo,
  withdrawDelaySeconds: 86_400,
  minDeposit: '140000',
  contract: TERMS.payTo,
  chainId: 8453n,
};
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
