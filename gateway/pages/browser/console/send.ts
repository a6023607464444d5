import type { CallFailure } from './outcome-words.ts';
import { type Payment, refusalOf } from './payment.ts';
import { describeAnswer, showStep } from './steps.ts';

const TIMEOUT_MS = 30_000;
/** The latest block of a chain may be older than the server's time. */
const EXPIRED_AFTER_S = 60;
const ACCOUNTING = ['x-trial-status', 'x-request-id'];

/** A call without a result. */
export class CallError extends Error implements CallFailure {
  readonly code: string;
  readonly details: CallFailure['details'];

  constructor(code: string, message: string, details: CallFailure['details']) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Sends a request and shows its answer as a step. @throws the error of `fetch` */
export async function observed(steps: HTMLElement, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const answer = await fetch(url, init);
  const details = await describeAnswer(answer.clone());
  const { status } = answer;
  if (headers.has('sign-in-with-x'))
    showStep(steps, {
      title: 'Call.',
      says: `The same request, with the signature, is answered with ${status}.`,
      details,
    });
  else if (headers.has('payment-signature'))
    showStep(steps, {
      title: 'Pay.',
      says: `The same request, with the payment, is answered with ${status}.`,
      details,
    });
  else if (url.endsWith('/sandbox/faucet'))
    showStep(steps, { title: 'Fund.', says: `The faucet answers with ${status}.`, details });
  else
    showStep(steps, {
      title: 'Ask.',
      says: `The request without a payment is answered with ${status}: the price, and a challenge to sign.`,
      details,
    });
  return answer;
}

/**
 * Sends JSON, with a payment or without. The answer is whole when this returns.
 * @throws {CallError} for an answer of another status than `wanted`, and for none
 */
export async function post(
  steps: HTMLElement,
  { url, body, payment, wanted }: { url: string; body: string; payment?: Payment; wanted: number },
): Promise<Response> {
  const isSigned = payment !== undefined;
  const answer = await observed(steps, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(isSigned && { 'payment-signature': payment.header }) },
    body,
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new CallError('NO_ANSWER', 'no whole answer came', { isSigned });
  });
  const { status, headers } = answer;
  if (status === wanted) return answer;
  const { error } = Object(await answer.json().catch(() => ({})));
  const accounting = Object.fromEntries(ACCOUNTING.map((name) => [name, headers.get(name)]));
  const refused = isSigned && status === 402 ? refusedPayment(headers, payment) : undefined;
  throw new CallError(error?.code ?? refused ?? `HTTP_${status}`, error?.message ?? `The answer was ${status}.`, {
    status,
    isSigned,
    accounting,
  });
}

/**
 * The code of a 402 to a payment. One whose settlement failed has PAYMENT-RESPONSE. Until it expires it may be made after
 * all, so that only a refusal after that is the last word.
 */
function refusedPayment(headers: Headers, { validBefore }: Payment): string | undefined {
  const isExpired = Date.parse(headers.get('date') ?? '') > (validBefore + EXPIRED_AFTER_S) * 1000;
  return headers.has('payment-response') && !isExpired ? 'NOT_SETTLED' : refusalOf(headers.get('payment-required'));
}
