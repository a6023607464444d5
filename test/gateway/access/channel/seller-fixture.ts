import { decodePaymentRequiredHeader, decodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import type { AccessReply } from '../../../../gateway/access/call/access-request.ts';
import type { Execute } from '../../../../gateway/access/call/execution.ts';
import { createFingerprints } from '../../../../gateway/access/call/fingerprints.ts';
import { createChannels } from '../../../../gateway/access/channels.ts';
import { createOffer } from '../../../../gateway/access/offer/offer.ts';
import { createOfferSecrets } from '../../../../gateway/access/offer/offer-secret.ts';
import { REFUND_PATH } from '../../../../gateway/access/offer/refund-offer.ts';
import { toPaymentReply } from '../../../../gateway/access/payment/payment-outcome.ts';
import { readPaymentHeader } from '../../../../gateway/access/payment/presented-payment.ts';
import { createPayment } from '../../../../gateway/access/payment-schemes.ts';
import { toAppError, toEnvelope } from '../../../../gateway/errors/app-error.ts';
import type { CallState } from '../../../../gateway/freeze/call-freeze.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';
import type { ContractChannel } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { createReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createNonce, createWallet, type Wallet } from '../../../kit/chain.ts';
import { startRedisProxy } from '../../../kit/redis-proxy.ts';
import type { TestDatabase } from '../../../kit/test-database.ts';
import { cipher, openClient, serveLedger } from '../../../services/ledger/service/service-fixture.ts';
import { openTrialLedger, type ShownChannel } from '../../../services/ledger/store/store-fixture.ts';
import { createFastClock } from '../fast-clock.ts';
import { CONTRACT, createContract } from './contract-fixture.ts';

const ORIGIN = new URL('http://127.0.0.1:8402');
const URL_OF_CALL = new URL(htmlToMarkdown.path, ORIGIN).href;
export const URL_OF_REFUND = new URL(REFUND_PATH, ORIGIN).href;
export const PRICE = htmlToMarkdown.priceMicroUsd;
export const MIN_DEPOSIT = 10n * PRICE;
export const BODY = { html: '<h1>Channel</h1>' };
export const SECRETS = createOfferSecrets({ keys: [Buffer.alloc(32, 1)], deploymentId: 'test' });

/** Terms of sellers. Every test has a network of its own, because all of them share one database. */
export const termsOf = (network: string) => ({
  network,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  maxTimeoutSeconds: 180,
  chains: [network],
  channels: {
    offered: true,
    receiverAuthorizer: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    withdrawDelaySeconds: 86_400,
    minDeposit: String(MIN_DEPOSIT),
    contract: CONTRACT,
    chainId: BigInt(network.slice('eip155:'.length)),
  },
});

/** What the payments service stores of a channel. */
const shownOf = ({ balance, totalClaimed, refundNonce, ...withdrawal }: ContractChannel): ShownChannel => ({
  balanceMicroUsd: BigInt(balance),
  claimedMicroUsd: BigInt(totalClaimed),
  refundNonce: BigInt(refundNonce),
  withdrawRequestedAtS: withdrawal.withdrawRequestedAtS,
  ...(withdrawal.withdrawAmount === '' ? {} : { withdrawMicroUsd: BigInt(withdrawal.withdrawAmount) }),
});

const readVoucher = createReader(
  Type.Object({ voucher: Type.Object({ signature: Type.String() }) }),
  'the payload of a payment',
);

export type Seller = Awaited<ReturnType<typeof openSeller>>;

/** Runs a method of the ledger, or does something else. */
type Around = <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome>;

/** The gateway's side of channels, with the service of a ledger. `fetch` is for clients; nothing listens. */
export async function openSeller(t: ExecutionContext, database: TestDatabase) {
  const ledger = openTrialLedger(t, database, { connections: 2 });
  const { network } = ledger;
  const terms = termsOf(network);
  const clock = { monotonicMs: 0 };
  const executed: unknown[] = [];
  /** What the next admissions, executions and methods of the ledger do, and what the next calls cost. */
  const course: {
    isFull?: boolean;
    execute?: (() => Promise<void>) | undefined;
    calls?: CallState;
    priceMicroUsd?: bigint;
    clientNetwork?: string;
  } & {
    [Method in 'admit' | 'charge' | 'getRetained' | 'holdRefund' | 'post' | 'void']?: Around | undefined;
  } = {};
  const run = <Outcome>(around: Around | undefined, work: () => Promise<Outcome>): Promise<Outcome> =>
    around === undefined ? work() : around(work);
  const fingerprints = createFingerprints(Buffer.alloc(32, 2));
  const freeze = { state: () => course.calls ?? 'open' };
  const served = await serveLedger(t, ledger, {
    store: {
      charge: (charge) => run(course.charge, () => ledger.charge(charge)),
      holdRefund: (hold) => run(course.holdRefund, () => ledger.holdRefund(hold)),
      post: (answer) => run(course.post, () => ledger.post(answer)),
      void: (id, reason) => run(course.void, () => ledger.void(id, reason)),
      channels: ledger.channels,
    },
  });
  const proxy = await startRedisProxy(served.target.slice('unix:'.length));
  t.teardown(() => proxy.close());
  const { monotonicMs, hurry } = createFastClock();
  const client = await openClient(t, { target: proxy.url.replace('unix://', 'unix:'), monotonicMs });
  const contract = createContract((channel) => ledger.show(channel.channelId, shownOf(channel)));
  const execute: Execute = async ({ body }) => {
    executed.push(body);
    await course.execute?.();
    return Buffer.from(JSON.stringify({ markdown: `# ${executed.length}` }));
  };
  /** The stored body of an answer. */
  async function readResponse(id: string): Promise<Buffer> {
    const [row] = await ledger.query('SELECT key_id, response_body FROM retained_body WHERE record_id = $1', [id]);
    const sealed = row?.['response_body'];
    if (!Buffer.isBuffer(sealed)) throw new Error('the answer is not stored');
    return cipher.open(sealed, String(row?.['key_id']), { recordId: id, part: 'response' });
  }
  const unused = () => Promise.reject(new Error('not a part of this test'));
  const { payment: channel, refundAccess } = createChannels({
    terms,
    publicUrls: [ORIGIN],
    ledger: client,
    channels: {
      ...contract.client,
      getTerms: unused,
      claim: unused,
      estimateClaims: unused,
      estimateRefund: unused,
      resolveRefund: unused,
      watch: unused,
      close() {},
    },
    backoffice: {
      getRetained: async (id) => ({
        operation: htmlToMarkdown.name,
        requestBody: Buffer.alloc(0),
        responseBody: await run(course.getRetained, () => readResponse(id)),
      }),
    },
    execute,
    admission: { hasRoom: () => course.isFull !== true, run: (_client, work) => run(course.admit, work) },
    freeze,
    secrets: SECRETS,
    fingerprints,
    now: client.now,
    monotonicMs: () => clock.monotonicMs,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const payment = createPayment({ exact: { run: unused }, channel, freeze });
  const offer = createOffer({ operation: htmlToMarkdown, origin: ORIGIN, terms, secrets: SECRETS });
  const newOffer = () => offer.payment('payment required').header;
  const required = () => decodePaymentRequiredHeader(newOffer());

  async function handle(request: Request): Promise<AccessReply> {
    const header = request.headers.get('payment-signature');
    const from = request.headers.get('x-client') ?? '192.0.2.1';
    const common = { requestId: uuidv7(), client: from };
    if (new URL(request.url).pathname === REFUND_PATH) {
      return refundAccess.handle({ ...common, host: ORIGIN.host, paymentSignature: header === null ? [] : [header] });
    }
    const body: unknown = await request.json();
    if (header === null) return { status: 402, headers: { 'payment-required': newOffer() }, body: '{}' };
    const operation = { ...htmlToMarkdown, priceMicroUsd: course.priceMicroUsd ?? PRICE };
    const clientNetwork = course.clientNetwork;
    const access = { operation, offer, uri: offer.uri, domain: ORIGIN.host, body, clientNetwork, ...common };
    return toPaymentReply(await payment.run(access, () => readPaymentHeader(header)), offer);
  }

  return {
    network,
    ledger,
    contract,
    fingerprints,
    clock,
    course,
    executed,
    required,
    /** Breaks the connections to the ledger. */
    cut: proxy.cut,
    stopLedger: served.stop,
    lookAtDatabase: served.lookAtDatabase,
    /** Ends the time limits of answers of the ledger soon. */
    hurry,
    /** A new offer of channels. */
    offer: (): PaymentRequirements => defined(required().accepts[1]),
    account: async (id: string) => defined((await ledger.channels([id]))[0]),
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const { status, headers, body } = await handle(new Request(input, init)).catch((thrown: unknown) => {
        const error = toAppError(thrown);
        const text = JSON.stringify(toEnvelope(error, 'request'));
        return { status: error.statusCode, headers: error.headers, body: text };
      });
      return new Response(String(body), { status, headers });
    },
  };
}

interface Sent {
  readonly body?: object;
  /** The client's address. */
  readonly from?: string;
}

/** Sends a call with a payment. */
export function send(
  seller: Seller,
  payment: object,
  { body = BODY, from = '192.0.2.1' }: Sent = {},
): Promise<Response> {
  const header = Buffer.from(JSON.stringify(payment)).toString('base64');
  return seller.fetch(URL_OF_CALL, { ...callWith(body), headers: { 'payment-signature': header, 'x-client': from } });
}

const callWith = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });

export interface BuyerOptions {
  readonly wallet?: Wallet;
  readonly salt?: `0x${string}`;
  /** Signs the vouchers; by default the wallet. */
  readonly voucherSigner?: Wallet;
}

/** The official client, which remembers nothing of earlier channels. */
export function createBuyer(
  seller: Seller,
  { wallet = createWallet(), salt = createNonce(), voucherSigner }: BuyerOptions = {},
) {
  const readContract = async ({ args = [] }: { readonly args?: readonly unknown[] }) => {
    const { balance, totalClaimed } = seller.contract.stateOf(String(args[0]).toLowerCase());
    return [BigInt(balance), BigInt(totalClaimed)];
  };
  const signer = toClientEvmSigner(wallet, { readContract });
  const storage = new InMemoryClientChannelStorage();
  const scheme = new BatchSettlementEvmScheme(signer, {
    salt,
    storage,
    ...(voucherSigner && { voucherSigner: toClientEvmSigner(voucherSigner, { readContract }) }),
  });
  const client = new x402Client()
    .register(`eip155:${Number(seller.network.slice('eip155:'.length))}`, scheme)
    .setSpendControls({ allowedAssets: true });
  /** The last request with a payment, as it was sent. */
  let sent: Request | undefined;
  const recording = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    if (request.headers.has('payment-signature')) sent = request.clone();
    return seller.fetch(request);
  };
  const lastPayment = () =>
    decodePaymentSignatureHeader(defined(defined(sent).headers.get('payment-signature') ?? undefined));
  const paidFetch = wrapFetchWithPayment(recording, client);
  return {
    wallet,
    salt,
    id: computeChannelId(scheme.buildChannelConfig(seller.offer()), seller.network),
    storage,
    /** Signs a payment of a call, as the client's state says. */
    sign: (): Promise<PaymentPayload> =>
      client.createPaymentPayload({ ...seller.required(), accepts: [seller.offer()] }),
    pay: () => paidFetch(URL_OF_CALL, callWith(BODY)),
    /** Sends the last request with a payment again. */
    again: () => seller.fetch(defined(sent).clone()),
    /** The last payment, as it was sent. */
    sent: lastPayment,
    voucherSignature: () => readVoucher(lastPayment().payload).voucher.signature,
    refund: (amount?: bigint) =>
      scheme.refund(URL_OF_REFUND, { fetch: recording, ...(amount !== undefined && { amount: String(amount) }) }),
  };
}
