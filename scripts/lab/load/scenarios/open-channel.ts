import type { PaymentRequirements } from '@x402/core/types';
import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
  signVoucher,
} from '@x402/evm/batch-settlement/client';
import { Type } from 'typebox';
import type { Pool } from 'undici';
import type { Hex } from 'viem';
import { fromBase64, toBase64 } from '../../../cli/try/offers.ts';
import { createReader } from '../../../launch/parse/json-reader.ts';
import { type Exchange, exchange, headerOf, outcomeOf } from './exchange.ts';
import type { Order } from './orders.ts';
import { fundWallet } from './wallets.ts';

const X402_VERSION = 2;
/** Every channel has a wallet of its own. */
const SALT: Hex = `0x${'0'.repeat(64)}`;

const hex = (digits: number) => Type.Unsafe<Hex>(Type.String({ pattern: `^0x[0-9a-fA-F]{${digits}}$` }));
const readRequired = createReader(
  Type.Object({ resource: Type.Object({}), accepts: Type.Array(Type.Object({ scheme: Type.String() })) }),
  'PAYMENT-REQUIRED',
);
const readOffer = createReader(
  Type.Object({
    scheme: Type.String(),
    network: Type.Unsafe<PaymentRequirements['network']>(Type.String({ pattern: '^eip155:\\d+$' })),
    amount: Type.String(),
    asset: hex(40),
    payTo: hex(40),
    maxTimeoutSeconds: Type.Number(),
    extra: Type.Object({
      name: Type.String(),
      version: Type.String(),
      receiverAuthorizer: hex(40),
      withdrawDelay: Type.Number(),
    }),
  }),
  'the offer of channels',
);

/** An open channel. Its calls are signed in the order in which they must be sent. */
export interface OpenChannel {
  /** Calls that the rest of the deposit pays. */
  readonly callsLeft: () => number;
  /** Signs the next call. */
  readonly sign: (order: Order) => Promise<Exchange>;
}

/**
 * Opens a channel: a new wallet deposits all that it got from the faucet, with the first call.
 * @throws {Error} if a step is refused
 */
export async function openChannel(pool: Pool, order: Order): Promise<OpenChannel> {
  const { account, balance } = await fundWallet(pool);
  const { resource, offer } = await fetchOffer(pool, order);
  const { network, payTo, asset, extra } = offer;
  const price = BigInt(offer.amount);
  const config = {
    payer: account.address,
    payerAuthorizer: account.address,
    receiver: payTo,
    receiverAuthorizer: extra.receiverAuthorizer,
    token: asset,
    withdrawDelay: extra.withdrawDelay,
    salt: SALT,
  };
  const channelId = computeChannelId(config, network);
  const request = ({ operation, body }: Order, payload: object): Exchange => {
    const payment = toBase64({ x402Version: X402_VERSION, resource, accepted: offer, payload });
    return { path: operation.path, body, headers: { 'payment-signature': payment } };
  };
  const { payload } = await createBatchSettlementEIP3009DepositPayload(
    account,
    X402_VERSION,
    offer,
    config,
    String(balance),
    String(price),
  );
  const answer = await exchange(pool, request(order, payload));
  if (answer.status !== 200) throw new Error(`no deposit: ${outcomeOf(answer, 200).code} ${answer.text}`);
  let total = price;
  return {
    callsLeft: () => Number((balance - total) / price),
    async sign(next) {
      total += price;
      const voucher = await signVoucher(account, channelId, String(total), network);
      return request(next, { type: 'voucher', channelConfig: config, voucher });
    },
  };
}

async function fetchOffer(pool: Pool, { operation, body }: Order) {
  const answer = await exchange(pool, { path: operation.path, body });
  const header = headerOf(answer, 'payment-required');
  if (header === undefined) throw new Error(`no offer: ${outcomeOf(answer, 402).code} ${answer.text}`);
  const { resource, accepts } = readRequired(fromBase64(header));
  return { resource, offer: readOffer(accepts.find(({ scheme }) => scheme === 'batch-settlement')) };
}
