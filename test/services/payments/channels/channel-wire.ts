import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { HANG_MS } from '../../../kit/until.ts';
import { type Channel, signDeposit, signVoucher } from '../sandbox/channel-chain.ts';

export const AUTHORIZER_KEY = generatePrivateKey();
export const AUTHORIZER = privateKeyToAccount(AUTHORIZER_KEY);
export const NETWORK = 'eip155:31337';
export const PRICE = 14_000n;
export const MIN_DEPOSIT = 140_000n;
export const DELAY_S = 900;

export const timed = { timeoutMs: HANG_MS };

export const wireConfig = ({ config }: Pick<Channel, 'config'>) => {
  const { withdrawDelay, ...addresses } = config;
  return { ...addresses, withdrawDelaySeconds: BigInt(withdrawDelay) };
};

export async function wireVoucher(channel: Channel, max: bigint) {
  const signature = await signVoucher(channel.payerAuthorizer, channel.id, max);
  return { channelId: channel.id, maxClaimableAmount: `${max}`, signature };
}

export const wireClaim = async (channel: Channel, total: bigint, max = total) => ({
  voucher: await wireVoucher(channel, max),
  totalClaimed: `${total}`,
});

export interface DepositChanges {
  readonly amount?: bigint;
  readonly max?: bigint;
  readonly validBefore?: bigint;
  readonly validAfter?: bigint;
  readonly signer?: Channel['payer'];
  readonly scheme?: string;
}

/** A deposit as the official client makes it. */
export async function newDeposit(channel: Channel, changes: DepositChanges = {}) {
  const { amount = MIN_DEPOSIT, max = PRICE, validAfter = 0n, signer = channel.payer } = changes;
  // Later than the clock of a chain on which a test lets a withdrawal end.
  const validBefore = changes.validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 3500);
  const signed = await signDeposit(channel, { amount, validAfter, validBefore, signer });
  const { salt, signature, collectorData } = signed;
  const voucher = await wireVoucher(channel, max);
  const authorization = { validAfter: `${validAfter}`, validBefore: `${validBefore}`, salt, signature };
  const payment = {
    x402Version: 2,
    accepted: { scheme: changes.scheme ?? 'batch-settlement', network: NETWORK, amount: `${PRICE}` },
    payload: {
      type: 'deposit',
      channelConfig: channel.config,
      voucher,
      deposit: { amount: `${amount}`, authorization: { erc3009Authorization: authorization } },
    },
  };
  return {
    request: { config: wireConfig(channel), voucher, paymentJson: JSON.stringify(payment) },
    id: `deposit:${channel.payer.address.toLowerCase()}:${signed.nonce}`,
    collectorData,
    amount,
  };
}

export type SignedDeposit = Awaited<ReturnType<typeof newDeposit>>;
