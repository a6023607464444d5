/**
 * What a person may do after a call without a result:
 * - again: make a new call, with a new challenge to sign
 * - same-payment: send the same request with the same payment, which is charged once
 * - pay: pay for the call; the free credit does not cover it
 * - switch: let the wallet use the network of the payment
 * - change: change the request first
 * - stop: neither send this request again nor pay for it
 */
export type NextStep = 'again' | 'same-payment' | 'pay' | 'switch' | 'change' | 'stop';

/** The end of a call, for people. */
export interface OutcomeWords {
  readonly what: string;
  readonly charge: string;
  readonly next: NextStep;
}

/** An error of the trial client, or of a payment. */
export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly details: {
    /** Absent if no answer came. */
    readonly status?: number;
    /** Whether a signed request was sent. Before that, nothing can be charged. */
    readonly isSigned?: boolean;
    readonly accounting?: Readonly<Record<string, string | null>>;
    readonly trial?: { readonly status?: string };
  };
}

const NOTHING_CHARGED = 'Nothing was charged.';
const WORDS: Readonly<Record<string, string>> = {
  NO_ANSWER: 'No whole answer came: the connection broke, or 30 seconds passed.',
  OVERLOADED: 'The server is busy with other calls.',
  SERVICE_UNAVAILABLE: 'A part of the server is not available at this moment.',
  TRIAL_UNAVAILABLE: 'The server could not account for this call, so it sent no result.',
  UPSTREAM_FAILURE: 'A service behind this operation failed.',
  UPSTREAM_TIMEOUT: 'The operation took too long.',
  SETTLEMENT_PENDING: 'The payment is not confirmed on the chain yet.',
  invalid_exact_evm_payload_authorization_valid_before: 'The payment expired before it arrived. Confirm it sooner.',
  invalid_exact_evm_insufficient_balance: 'The wallet holds too little USDC on this network for the payment.',
  RATE_LIMITED: 'Too many requests came from this address or wallet. Wait a minute.',
  UNCONFIRMED: 'A result came, but its charge is not confirmed, so it is not shown.',
  insufficient_balance: 'The free credit of this wallet is used up: it does not cover the call.',
  daily_budget_exhausted: "Today's budget for free trials is used up. There is a new one at midnight UTC.",
  unavailable: 'There are no free trials at this moment.',
};
/** Refusals of a signed call before anything was reserved for it. */
const NOT_ADMITTED = new Set(['OVERLOADED', 'CALLS_FROZEN', 'SERVICE_UNAVAILABLE']);

const whatOf = ({ code, message }: CallFailure) => WORDS[code] ?? message;

/** A fault of the request, which the operation does not execute. */
const isOfRequest = ({ code, details: { status } }: CallFailure) =>
  status === 400 || status === 413 || code === 'DOCUMENT_TOO_SLOW' || code === 'INVALID_OPTIONS';

/** How a trial ended. Whoever is not certain that nothing was charged may neither repeat the request nor pay for it. */
export function wordsOfTrial(failure: CallFailure): OutcomeWords {
  const { code, details } = failure;
  const denial = code === 'DENIED' ? details.trial?.status : undefined;
  if (denial !== undefined && denial in WORDS)
    return { what: WORDS[denial] ?? '', charge: NOTHING_CHARGED, next: denial === 'unavailable' ? 'again' : 'pay' };
  const what = whatOf(failure);
  if (isCertainlyFree(failure))
    return { what, charge: NOTHING_CHARGED, next: isOfRequest(failure) ? 'change' : 'again' };
  const unknown = 'It is not known whether the free credit was charged, or will be.';
  const stop = 'Do not send this request again, and do not pay for it.';
  return { what, charge: `${unknown} ${stop}`, next: 'stop' };
}

function isCertainlyFree({ code, details: { isSigned, accounting } }: CallFailure): boolean {
  if (isSigned === false) return true;
  const state = accounting?.['x-trial-status'];
  // A browser may have sent the proof twice: its first call may have been charged.
  if (state === 'rejected') return code !== 'REPLAYED_PROOF';
  return state === 'released' || (state === 'unavailable' && NOT_ADMITTED.has(code));
}

/** How a payment ended. It is executed and settled once, so whoever does not know its end sends it again, unchanged. */
export function wordsOfPayment(failure: CallFailure): OutcomeWords {
  const { code, details } = failure;
  const { status = 0, isSigned } = details;
  const what = WORDS[code] ?? (status === 402 ? 'The server did not take the payment.' : failure.message);
  if (code === 'WALLET_OTHER_NETWORK') return { what, charge: 'Nothing was paid.', next: 'switch' };
  if (code === 'NOT_SETTLED')
    return {
      what: 'The payment was not made now, but it still could be until it expires, a few minutes after it was signed.',
      charge: 'Ask again with the same payment after that. Sign a new one only if the server refuses it then, too.',
      next: 'same-payment',
    };
  if (isOfRequest(failure)) return { what, charge: 'Nothing was paid.', next: 'change' };
  if (isSigned === false || status === 402) return { what, charge: 'Nothing was paid.', next: 'pay' };
  const maybe = 'The payment may have been made.';
  if (code === 'NO_ANSWER' || status >= 500 || status === 408 || status === 429)
    return { what, charge: `${maybe} Asking again with it pays nothing more.`, next: 'same-payment' };
  return { what, charge: `${maybe} Do not pay for this request again.`, next: 'stop' };
}
