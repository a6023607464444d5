import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type Abi, createPublicClient, type Hex, http } from 'viem';
import { defined } from '../../workers/exact/defined.ts';
import { createNonce, createWallet, signPayment, type Wallet } from './chain.ts';
import {
  type Answer,
  CONVERT,
  fundedWallet,
  fundOnce,
  headerOf,
  post,
  readAnswer,
  requirementsOf,
  signIn,
  toBase64,
} from './client.ts';
import { until } from './until.ts';

export const NETWORK = 'eip155:31337';
/** What a call of HTML to Markdown costs. */
export const PRICE = 3000n;
/** What the faucet gives to a wallet. */
export const FUNDS = 10_000_000n;
export const GRANT = 50_000n;
/** What the official client deposits in a channel: the announced minimum. */
export const DEPOSIT = 140_000n;

/** A call that is signed, and can be sent any number of times. */
export interface SignedCall {
  readonly payer: Hex;
  readonly headers: Readonly<Record<string, string>>;
  /** The answers in order. Undefined if the connection broke before the answer. */
  readonly answers: readonly (Answer | undefined)[];
  /** Sends it, to another gateway if one is given. It rejects if the connection breaks. */
  send(origin?: string): Promise<Answer>;
}

/** Somebody who pays for calls in one of the three ways. */
export interface Buyer {
  readonly wallet: Wallet;
  readonly calls: readonly SignedCall[];
  sign(path: string, body: unknown): Promise<SignedCall>;
  call(path: string, body: unknown): Promise<Answer>;
}

/** Pays by vouchers. `call` is that of the official client, which deposits, tops up and recovers by itself. */
export interface ChannelBuyer extends Buyer {
  readonly channelId: Hex;
  refund(amount?: bigint): ReturnType<BatchSettlementEvmScheme['refund']>;
  /** The same wallet and channel without any memory of earlier calls. */
  forget(): ChannelBuyer;
}

export interface ExactOptions {
  readonly wallet?: Wallet;
  /** A payment identifier for each payment. */
  readonly identifier?: string;
  /** How long payments are valid. By default as long as is offered. */
  readonly validS?: number;
}

export interface ChannelOptions {
  readonly wallet?: Wallet;
  readonly salt?: Hex;
  /** The account that signs vouchers. The wallet itself by default. */
  readonly voucherSigner?: Wallet;
  /** The address that the channel names for it. Its own by default. */
  readonly payerAuthorizer?: Hex;
  readonly fetch?: typeof fetch;
}

export interface Buyers {
  /** Pays from the credit of a trial. */
  trial(wallet?: Wallet): Buyer;
  /** Pays each call by its own payment. */
  exact(options?: ExactOptions): Promise<Buyer>;
  channel(options?: ChannelOptions): Promise<ChannelBuyer>;
}

/**
 * Whoever buys at a gateway. What is signed waits for its offer, because a busy machine may refuse it for a while.
 * @param attempt how to ask for an offer
 */
export function openBuyers(origin: string, attempt: <T>(ask: () => Promise<T>) => Promise<T> = eventually): Buyers {
  return {
    trial: (wallet = createWallet()) =>
      createBuyer(origin, wallet, async (path, body) => ({
        'sign-in-with-x': toBase64(await attempt(async () => signIn(await post(origin + path, body), wallet))),
      })),
    async exact({ wallet: given, identifier, validS } = {}) {
      const wallet = given ?? (await attempt(() => fundOnce(origin)));
      return createBuyer(origin, wallet, async (path) => {
        const [offer] = await attempt(async () => requirementsOf(await post(origin + path, {})).accepts);
        const validBefore = validS === undefined ? {} : { validBefore: `${Math.floor(Date.now() / 1000) + validS}` };
        const payment = await signPayment(wallet, offer, validBefore);
        return {
          'payment-signature': identifier === undefined ? toBase64(payment) : nameCall(payment, identifier),
        };
      });
    },
    channel: (options = {}) => createChannelBuyer(origin, options),
  };
}

/** Asks for an offer once: for whoever tries another gateway then, or must stop while nothing is offered. */
export const once = <T>(ask: () => Promise<T>): Promise<T> => ask();

async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  const { found } = await until(async () => ({ found: await ask() }));
  return found;
}

/** The value of a PAYMENT-SIGNATURE header with a payment identifier. */
export function nameCall(payment: object, id: string): string {
  return toBase64({ ...payment, extensions: { 'payment-identifier': { info: { required: false, id } } } });
}

function createBuyer(
  origin: string,
  wallet: Wallet,
  headersOf: (path: string, body: unknown) => Promise<SignedCall['headers']>,
): Buyer {
  const calls: SignedCall[] = [];
  async function sign(path: string, body: unknown): Promise<SignedCall> {
    const headers = await headersOf(path, body);
    const answers: (Answer | undefined)[] = [];
    const call: SignedCall = {
      payer: wallet.address,
      headers,
      answers,
      async send(at = origin) {
        try {
          const answer = await post(at + path, body, headers);
          answers.push(answer);
          return answer;
        } catch (error) {
          answers.push(undefined);
          throw error;
        }
      },
    };
    calls.push(call);
    return call;
  }
  return { wallet, calls, sign, call: async (path, body) => (await sign(path, body)).send() };
}

async function createChannelBuyer(origin: string, options: ChannelOptions): Promise<ChannelBuyer> {
  const { salt = createNonce(), voucherSigner, payerAuthorizer } = options;
  const wallet = options.wallet ?? (await until(() => fundedWallet(origin)));
  const required = await until(async () => {
    const found = decodePaymentRequiredHeader(headerOf(await post(origin + CONVERT, {}), 'payment-required'));
    return found.accepts.some(({ scheme }) => scheme === 'batch-settlement') && found;
  });
  const offer = defined(required.accepts.find(({ scheme }) => scheme === 'batch-settlement'));
  const node = createPublicClient({ transport: http(`${origin}/sandbox/rpc`) });
  // The package types ABIs as lists of unknown values.
  const reader: Parameters<typeof toClientEvmSigner>[1] = {
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
  };

  function connect(): ChannelBuyer {
    const storage = new InMemoryClientChannelStorage();
    const clientOf = (signer: ReturnType<typeof toClientEvmSigner>) => {
      const scheme = new BatchSettlementEvmScheme(signer, {
        salt,
        storage,
        ...(voucherSigner && { voucherSigner: toClientEvmSigner(voucherSigner) }),
        ...(payerAuthorizer && { payerAuthorizer }),
      });
      return { scheme, client: new x402Client().register(NETWORK, scheme).setSpendControls({ allowedAssets: true }) };
    };
    const official = clientOf(toClientEvmSigner(wallet, reader));
    // It does not ask the chain, which a test may have stopped.
    const own = clientOf(toClientEvmSigner(wallet));
    const paidFetch = wrapFetchWithPayment(options.fetch ?? fetch, official.client);
    const channelId = computeChannelId(own.scheme.buildChannelConfig(offer), NETWORK);
    const buyer = createBuyer(origin, wallet, async () => {
      const charged = PRICE * BigInt(buyer.calls.length);
      const balance = buyer.calls.length === 0 ? '0' : `${DEPOSIT}`;
      await storage.set(channelId, { balance, chargedCumulativeAmount: `${charged}` });
      const payload = await own.client.createPaymentPayload({ ...required, accepts: [offer] });
      return { 'payment-signature': encodePaymentSignatureHeader(payload) };
    });
    return {
      ...buyer,
      channelId,
      call: async (path, body) => {
        const headers = { 'content-type': 'application/json' };
        return readAnswer(await paidFetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) }));
      },
      refund: (amount) =>
        official.scheme.refund(`${origin}/api/v1/channels/refund`, amount === undefined ? {} : { amount: `${amount}` }),
      forget: connect,
    };
  }
  return connect();
}

/** The payment response of an answer, with the state of its channel. */
export const responseOf = (answer: Answer) => decodePaymentResponseHeader(headerOf(answer, 'payment-response'));

/** Why an answer asks for a payment. Undefined if it does not. */
export function reasonOf({ status, headers }: Answer): string | undefined {
  const required = status === 402 ? headers.get('payment-required') : null;
  return required === null ? undefined : decodePaymentRequiredHeader(required).error;
}

export const isAnswered = ({ answers }: SignedCall): boolean => answers.some((answer) => answer?.status === 200);

/** Whether an answer is a result that the trial was charged for. */
export const isConfirmed = (answer: Answer | undefined): boolean =>
  answer?.status === 200 && answer.headers.get('x-trial-accounting-status') === 'confirmed';

/** Sends a call again until it has its result. */
export const eventuallyAnswered = (call: SignedCall): Promise<Answer> =>
  until(async () => {
    const answer = await call.send();
    if (answer.status === 200) return answer;
    throw new Error(`${answer.status} ${reasonOf(answer) ?? answer.text}`);
  });
