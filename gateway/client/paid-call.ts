import type { Connection, Signer } from './connection.ts';
import { type Answer, faultOf, isFaultOfRequest, type Request, retryAfterMs, send } from './http.ts';
import {
  type CallFailure,
  type Fault,
  maybeCharged,
  notCharged,
  type PaidResult,
  samePayment,
  stopped,
} from './outcome.ts';
import { type Payment, readOffer, readPayment, signPayment, transactionOf } from './payment.ts';
import type { Store, StoreEntry } from './store.ts';
import { refusedUnsigned } from './trial-call.ts';
import { fromBase64, sha256 } from './values.ts';

export interface PaymentTerms extends Connection {
  readonly signer: Signer;
  readonly store: Store;
  /** The beginning of the names under which the store keeps payments for this request by this wallet. */
  readonly prefix: string;
  /** Micro-USD. */
  readonly maxPrice: bigint;
}

type PaidOutcome = PaidResult<object> | CallFailure;

/** A payment on its way. */
interface Sent {
  readonly name: string;
  readonly payment: Payment;
  /** Whether it may have been sent before, so that only its end says that it was not charged. */
  readonly isResumed: boolean;
}

/** The latest block of a chain may be older than the server's time. */
const EXPIRED_AFTER_S = 60;
/** Without the server's time: servers accept no `validBefore` that is further away, so no clock is further ahead. */
const EXPIRED_AFTER_OWN_CLOCK_S = 3600;
/** Failures that the server answers only if nothing was charged. */
export const FREE_CODES: readonly string[] = ['DOCUMENT_TOO_SLOW', 'PLUGIN_FAILED'];

export const prefixOf = async ({ url, body }: Request, { address }: Signer): Promise<string> =>
  `tollhouse-${await sha256(JSON.stringify([url.href, address.toLowerCase(), body]))}-`;

/** Sends the open payment for this request again, and returns its outcome. Undefined if there is none. */
export async function resumePayment(request: Request, terms: PaymentTerms): Promise<PaidOutcome | undefined> {
  let kept: StoreEntry | undefined;
  try {
    [kept] = await terms.store.list(terms.prefix);
  } catch (cause) {
    const message = 'nothing was sent: the store does not tell which payments are open';
    return stopped('STORE_FAILED', message, cause);
  }
  if (kept === undefined) return undefined;
  const { name, value } = kept;
  const payment = readPayment(value);
  if (payment === undefined || !name.endsWith(payment.nonce))
    return maybeCharged(
      { code: 'STORE_FAILED', message: `the store keeps no payment as ${name}` },
      { how: 'never', payment: name },
    );
  if (payment.amountMicroUsd > terms.maxPrice) return maybeCharged(tooHigh(payment.amountMicroUsd), samePayment(name));
  return sendPayment(request, terms, { name, payment, isResumed: true });
}

/** Signs a payment of the offer in a 402, keeps it, and sends it. Asks for the offer if none is given. */
export async function payFor(
  request: Request,
  terms: PaymentTerms,
  required?: Readonly<Record<string, unknown>>,
): Promise<PaidOutcome> {
  if (required === undefined) {
    const asked = await send(terms, request);
    if (asked instanceof Error || asked.status !== 402) return refusedUnsigned(asked);
    return payFor(request, terms, fromBase64(asked.headers.get('payment-required')));
  }
  const offer = readOffer(required, 'exact');
  if (offer === undefined) return stopped('WRONG_OFFER', 'no payment of USDC is offered');
  if (offer.amountMicroUsd > terms.maxPrice) return notCharged(tooHigh(offer.amountMicroUsd), { how: 'change' });
  let header: string;
  try {
    header = await signPayment(offer, terms.signer);
  } catch (cause) {
    return stopped('NOT_SIGNED', 'the wallet did not sign', cause);
  }
  const payment = readPayment(header);
  if (payment === undefined) return stopped('NOT_SIGNED', 'the wallet has no address');
  const name = terms.prefix + payment.nonce;
  try {
    await terms.store.set(name, header);
  } catch (cause) {
    return stopped('STORE_FAILED', 'the payment was not kept, nor sent', cause);
  }
  return sendPayment(request, terms, { name, payment, isResumed: false });
}

export const tooHigh = (price: bigint): Fault => ({
  code: 'PRICE_TOO_HIGH',
  message: `the price is ${price} micro-USD`,
});

async function sendPayment(request: Request, terms: PaymentTerms, sent: Sent): Promise<PaidOutcome> {
  const outcome = outcomeOf(await send(terms, request, { 'payment-signature': sent.payment.header }), sent);
  if (!outcome.ok && outcome.charged !== 'no') return outcome;
  try {
    await terms.store.delete(sent.name);
  } catch (cause) {
    const fault: Fault = {
      code: 'STORE_FAILED',
      message: 'the payment has ended, but the store still keeps it',
      cause,
    };
    const retry = samePayment(sent.name);
    return maybeCharged(fault, retry, outcome.ok ? 'yes' : 'unknown');
  }
  return outcome;
}

function outcomeOf(answer: Answer | Error, { name, payment, isResumed }: Sent): PaidOutcome {
  const fault = faultOf(answer);
  const again = (afterMs: number) => samePayment(name, afterMs);
  if (answer instanceof Error) return maybeCharged(fault, again(0));
  const { status, headers } = answer;
  if (status === 200) return readResult(answer, fault, { name, payment });
  if (status === 402) {
    const leftMs = untilExpiryMs(headers, payment.validBefore);
    if (leftMs <= 0) return notCharged(fault, { how: 'again', afterMs: 0 });
    if (isResumed || headers.has('payment-response'))
      return maybeCharged({ ...fault, code: 'NOT_SETTLED' }, again(leftMs));
    return notCharged(fault, { how: 'change' });
  }
  // It may be settled for its own request, and no answer can tell by now.
  if (status === 409) return maybeCharged(fault, { how: 'never', payment: name });
  if (!isResumed && (isFaultOfRequest(answer) || FREE_CODES.includes(fault.code)))
    return notCharged(fault, { how: 'change' });
  return maybeCharged(fault, again(retryAfterMs(answer)));
}

/** The time until a refusal is the last word, by the server's clock if the answer shows it. */
export function untilExpiryMs(headers: Headers, validBefore: number): number {
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverMs)) return (validBefore + EXPIRED_AFTER_OWN_CLOCK_S) * 1000 - Date.now();
  return (validBefore + EXPIRED_AFTER_S) * 1000 - serverMs;
}

function readResult({ headers, json }: Answer, fault: Fault, { name, payment }: Omit<Sent, 'isResumed'>): PaidOutcome {
  const transaction = transactionOf(headers.get('payment-response'), payment);
  const again = samePayment(name);
  if (transaction === undefined || headers.has('x-access-mode') || headers.has('x-trial-status'))
    return maybeCharged({ ...fault, code: 'UNCONFIRMED', message: 'the settlement is not confirmed' }, again);
  if (json === undefined) return maybeCharged({ ...fault, message: 'the result is not JSON' }, again, 'yes');
  const { amountMicroUsd: priceMicroUsd, network } = payment;
  return { ok: true, paidBy: 'exact', result: json, priceMicroUsd, network, transaction };
}
