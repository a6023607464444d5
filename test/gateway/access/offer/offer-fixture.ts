import { createOfferSecrets } from '../../../../gateway/access/offer/offer-secret.ts';

/** Terms with the longest names that a seller can have. */
export const TERMS = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  maxTimeoutSeconds: 180,
  chains: ['eip155:31337', 'eip155:8453'],
};
export const CHANNELS = {
  offered: true,
  receiverAuthorizer: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  withdrawDelaySeconds: 2_592_000,
  minDeposit: '1000000',
  contract: '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003',
  chainId: 8453n,
};
export const SECRETS = createOfferSecrets({ keys: [Buffer.alloc(32, 1)], deploymentId: 'test' });
