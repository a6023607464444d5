import { readChallenge, signChallenge } from './challenge.ts';
import type { Connection, TrialSigner } from './connection.ts';
import { type Answer, faultOf, isFaultOfRequest, type Request, retryAfterMs, send, trialInfoOf } from './http.ts';
import { type CallFailure, maybeCharged, notCharged, stopped, type TrialOutcome } from './outcome.ts';
import { fromBase64, isText, membersOf, toPrice } from './values.ts';

export interface TrialRun {
  readonly outcome: TrialOutcome<object>;
  /** The PAYMENT-REQUIRED of a denial after which paying is a choice. */
  readonly payable?: Readonly<Record<string, unknown>>;
}

export interface TrialTerms extends Connection {
  readonly signer: TrialSigner;
  /** Micro-USD. The grant by default, which is the most that a trial can take. */
  readonly maxPrice?: bigint;
}

const GRANT_MICRO_USD = 50_000n;
const CHOICES: readonly unknown[] = ['insufficient_balance', 'daily_budget_exhausted'];
const DENIALS: readonly unknown[] = [...CHOICES, 'unavailable'];
/** Refusals of a signed call before anything was reserved for it. */
const NOT_ADMITTED: readonly string[] = ['OVERLOADED', 'CALLS_FROZEN', 'SERVICE_UNAVAILABLE'];

/** Requests a challenge, signs it, and sends the request once more with the proof. Never pays. */
export async function runTrial(request: Request, terms: TrialTerms): Promise<TrialRun> {
  const asked = await send(terms, request);
  if (asked instanceof Error || asked.status !== 402) return { outcome: refusedUnsigned(asked) };
  const required = fromBase64(asked.headers.get('payment-required'));
  const { status, quotedAmountAtomic, coveredByInitialGrant } = trialInfoOf(required);
  if (status !== 'challenge') return denied(asked);
  const price = toPrice(quotedAmountAtomic);
  if (price === undefined || toPrice(membersOf(arrayOf(required['accepts'])[0])['amount']) !== price)
    return { outcome: stopped('WRONG_OFFER', 'the quote of the trial is not the price of the call') };
  const { maxPrice = GRANT_MICRO_USD } = terms;
  if (coveredByInitialGrant !== true || price > GRANT_MICRO_USD || price > maxPrice)
    return { outcome: stopped('PRICE_TOO_HIGH', `the quote is ${price} micro-USD`) };
  const challenge = readChallenge(required, request);
  if (typeof challenge === 'string')
    return { outcome: stopped('WRONG_CHALLENGE', `the challenge was not signed: ${challenge}`) };
  let proof: string | undefined;
  try {
    proof = await signChallenge(challenge, terms.signer);
  } catch (cause) {
    return {
      outcome: stopped('NOT_SIGNED', 'the wallet did not sign', cause),
    };
  }
  if (proof === undefined) return { outcome: stopped('NOT_SIGNED', 'the challenge expired before it was signed') };
  return readSigned(await send(terms, request, { 'sign-in-with-x': proof }), price);
}

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The end of a call before anything was signed. */
export function refusedUnsigned(answer: Answer | Error): CallFailure {
  const isForGood = !(answer instanceof Error) && isFaultOfRequest(answer);
  return notCharged(faultOf(answer), isForGood ? { how: 'change' } : { how: 'again', afterMs: retryAfterMs(answer) });
}

/** A 402 that offers no trial. Header and PAYMENT-REQUIRED must agree before anyone pays because of it. */
function denied(answer: Answer): TrialRun {
  const required = fromBase64(answer.headers.get('payment-required'));
  const { status } = trialInfoOf(required);
  const isChoice = CHOICES.includes(status) && answer.headers.get('x-trial-status') === status;
  if (!isChoice) return { outcome: refusedUnsigned(answer) };
  return { outcome: notCharged(faultOf(answer), { how: 'pay' }), payable: required };
}

function readSigned(answer: Answer | Error, price: bigint): TrialRun {
  const fault = faultOf(answer);
  const never = { how: 'never', payment: undefined } as const;
  if (answer instanceof Error) return { outcome: maybeCharged(fault, never) };
  if (answer.status === 200) return { outcome: readResult(answer, price) };
  const state = answer.headers.get('x-trial-status') ?? '';
  if (answer.status === 402 && DENIALS.includes(state)) return denied(answer);
  const isFree =
    isFaultOfRequest(answer) ||
    state === 'released' ||
    // A browser may have sent the proof twice: its first call may have been charged.
    (state === 'rejected' && fault.code !== 'REPLAYED_PROOF') ||
    (state === 'unavailable' && NOT_ADMITTED.includes(fault.code));
  return { outcome: isFree ? refusedUnsigned(answer) : maybeCharged(fault, never) };
}

function readResult({ status, headers, json }: Answer, priceMicroUsd: bigint): TrialOutcome<object> {
  const balance = headers.get('x-trial-balance-atomic');
  const isConfirmed =
    headers.get('x-access-mode') === 'trial' &&
    headers.get('x-trial-status') === 'charged' &&
    headers.get('x-trial-accounting-status') === 'confirmed' &&
    (balance === null || isText(balance, /^(0|[1-9][0-9]{0,15})$/)) &&
    !headers.has('payment-response') &&
    !headers.has('x-payment-response');
  const never = { how: 'never', payment: undefined } as const;
  const requestId = headers.get('x-request-id');
  const about = { status, ...(requestId === null ? {} : { requestId }) };
  if (!isConfirmed)
    return maybeCharged({ code: 'UNCONFIRMED', message: 'the accounting is not confirmed', ...about }, never);
  if (json === undefined)
    return maybeCharged({ code: 'UNEXPECTED_ANSWER', message: 'the result is not JSON', ...about }, never, 'yes');
  const balanceMicroUsd = balance === null ? undefined : BigInt(balance);
  return { ok: true, paidBy: 'trial', result: json, priceMicroUsd, balanceMicroUsd };
}
