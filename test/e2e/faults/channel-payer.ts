import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createNonce, type Wallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, headerOf, post } from '../../helpers/client.ts';
import { until } from '../../helpers/until.ts';
import { answerOf, eventuallyFunded } from './faulty-stack.ts';
import { PRICE } from './payment-books.ts';
import { NETWORK } from './trial-books.ts';

/** What the official client deposits: the announced minimum. */
export const DEPOSIT = 140_000n;

/** One voucher, whose request can be repeated. */
export interface ChannelCall {
  readonly header: string;
  /** What the voucher is for: this call and all calls before it. */
  readonly cumulativeMicroUsd: bigint;
  /** The answers in order. Undefined if the connection broke before the answer. */
  readonly answers: (Answer | undefined)[];
  send(): Promise<Answer | undefined>;
}

/** A payer with one channel, which calls one after the other. */
export interface ChannelPayer {
  readonly wallet: Wallet;
  readonly channelId: Hex;
  readonly calls: readonly ChannelCall[];
  /** Signs the voucher of the next call. The first one comes with the deposit. */
  sign(): Promise<ChannelCall>;
}

/** Whether a call got its result. */
export const isAnswered = ({ answers }: ChannelCall): boolean => answers.some((answer) => answer?.status === 200);

/** Creates a payer with money. It signs as the official client does, but decides itself what it signs next. */
export async function createChannelPayer(url: string, body: unknown): Promise<ChannelPayer> {
  const wallet = await eventuallyFunded(url);
  const required = await until(async () => {
    const decoded = decodePaymentRequiredHeader(headerOf(await post(url + CONVERT, body), 'payment-required'));
    return decoded.accepts.some(({ scheme }) => scheme === 'batch-settlement') ? decoded : undefined;
  });
  const offer = defined(required.accepts.find(({ scheme }) => scheme === 'batch-settlement'));
  const storage = new InMemoryClientChannelStorage();
  const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(wallet), { salt: createNonce(), storage });
  const client = new x402Client().register(NETWORK, scheme).setSpendControls({ allowedAssets: true });
  const channelId = computeChannelId(scheme.buildChannelConfig(offer), NETWORK);
  const calls: ChannelCall[] = [];
  return {
    wallet,
    channelId,
    calls,
    async sign() {
      const charged = PRICE * BigInt(calls.length);
      const balance = calls.length === 0 ? '0' : `${DEPOSIT}`;
      await storage.set(channelId, { balance, chargedCumulativeAmount: `${charged}` });
      const payload = await client.createPaymentPayload({ ...required, accepts: [offer] });
      const header = encodePaymentSignatureHeader(payload);
      const answers: (Answer | undefined)[] = [];
      const call: ChannelCall = {
        header,
        cumulativeMicroUsd: charged + PRICE,
        answers,
        async send() {
          const answer = await answerOf(post(url + CONVERT, body, { 'payment-signature': header }));
          answers.push(answer);
          return answer;
        },
      };
      calls.push(call);
      return call;
    },
  };
}

/** Sends a call again until it has its result. */
export const eventuallyAnswered = (call: ChannelCall): Promise<Answer> =>
  until(async () => {
    const answer = await call.send();
    if (answer?.status === 200) return answer;
    throw new Error(`${answer?.status} ${answer?.headers.get('payment-required') ?? answer?.text}`);
  });
