import { decodePaymentRequiredHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type Abi, createPublicClient, http } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createNonce, type Wallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, fundedWallet, headerOf, readAnswer } from '../../helpers/client.ts';

const NETWORK = 'eip155:31337';
const CHAIN_ID = 31_337;
export const PRICE = 3000n;
export const BODY = { html: '<h1>Channels</h1><p>Paid by vouchers.</p>' };
export const MARKDOWN = '# Channels\n\nPaid by vouchers.\n';

export interface ChannelBuyer {
  readonly wallet: Wallet;
  /** A call with the official client, which deposits, tops up and recovers by itself. */
  call(body?: object): Promise<Answer>;
  refund(amount?: bigint): ReturnType<BatchSettlementEvmScheme['refund']>;
  channelId(): Promise<string>;
  /** The same wallet and channel without any memory of earlier calls. */
  forget(): ChannelBuyer;
}

export interface BuyerOptions {
  readonly wallet?: Wallet;
  readonly salt?: `0x${string}`;
  /** The account that signs vouchers. The wallet itself by default. */
  readonly voucherSigner?: Wallet;
  /** The address that the channel names for it. Its own by default. */
  readonly payerAuthorizer?: `0x${string}`;
  readonly fetch?: typeof fetch;
}

/** The official client of the scheme, which reads the chain through the sandbox. */
export async function createChannelBuyer(origin: string, options: BuyerOptions = {}): Promise<ChannelBuyer> {
  const wallet = options.wallet ?? (await fundedWallet(origin));
  const salt = options.salt ?? createNonce();
  const node = createPublicClient({ transport: http(`${origin}/sandbox/rpc`) });
  const signer = toClientEvmSigner(wallet, {
    // The package types ABIs as lists of unknown values.
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
  });

  const { voucherSigner, payerAuthorizer } = options;

  function connect(): ChannelBuyer {
    const scheme = new BatchSettlementEvmScheme(signer, {
      salt,
      storage: new InMemoryClientChannelStorage(),
      ...(voucherSigner && { voucherSigner: toClientEvmSigner(voucherSigner) }),
      ...(payerAuthorizer && { payerAuthorizer }),
    });
    const client = new x402Client().register(NETWORK, scheme).setSpendControls({ allowedAssets: true });
    const paidFetch = wrapFetchWithPayment(options.fetch ?? fetch, client);
    return {
      wallet,
      async call(body = BODY) {
        const request = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
        return readAnswer(await paidFetch(origin + CONVERT, request));
      },
      refund: (amount) =>
        scheme.refund(`${origin}/api/v1/channels/refund`, amount === undefined ? {} : { amount: `${amount}` }),
      async channelId() {
        const answer = await fetch(`${origin}/api/v1/channels/refund`);
        const { accepts } = decodePaymentRequiredHeader(headerOf(answer, 'payment-required'));
        const offer = defined(accepts.find(({ scheme: name }) => name === 'batch-settlement'));
        return computeChannelId(await scheme.buildChannelConfig(offer), CHAIN_ID).toLowerCase();
      },
      forget: connect,
    };
  }
  return connect();
}

export const responseOf = (answer: Answer) => decodePaymentResponseHeader(headerOf(answer, 'payment-response'));
