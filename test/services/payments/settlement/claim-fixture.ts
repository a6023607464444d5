import type { Hex } from 'viem';
import type { ChainState } from '../../../../services/payments/chain/chain.ts';
import type { Claim } from '../../../../services/payments/claims/claims.ts';
import type { Payment } from '../../../../services/payments/payment/payment.ts';

export const NETWORK = 'eip155:31337';
export const PAYER: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const hex32 = (digit: string): Hex => `0x${digit.repeat(64)}`;
export const [SENT, OTHER] = [hex32('5'), hex32('6')];
export const ONCHAIN = {
  kind: 'settled',
  transaction: OTHER,
  block: { number: 7n, hash: hex32('b') },
} as const satisfies ChainState;

/** A claim in memory. */
export const claimOf = (changes: Partial<Claim> = {}): Claim => ({
  claimId: 'c1',
  state: 'settling',
  payer: PAYER,
  nonce: hex32('1'),
  digest: 'd1',
  fingerprint: 'f1',
  offerSecretHash: 's1',
  paymentIdentifierHash: undefined,
  payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  amount: 3000n,
  validBeforeS: 2000,
  fromBlock: 7n,
  isLeased: false,
  transaction: undefined,
  paymentResponseJson: undefined,
  final: false,
  ...changes,
});

/** The payment of these claims. */
export const payment: Payment = {
  offer: {
    scheme: 'exact',
    network: NETWORK,
    amount: '3000',
    asset: PAYER,
    payTo: PAYER,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  },
  authorization: {
    from: PAYER,
    to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    value: 3000n,
    validAfter: 0n,
    validBefore: 2000n,
    nonce: hex32('1'),
  },
  payer: PAYER,
  signature: '0x11',
  walletSignature: undefined,
  digest: 'd1',
  attachments: {},
};

export const settledJson = (transaction: Hex): string =>
  JSON.stringify({ success: true, transaction, network: NETWORK, payer: PAYER });
export const failedJson = (errorReason: string): string =>
  JSON.stringify({ success: false, transaction: '', network: NETWORK, payer: PAYER, errorReason });
