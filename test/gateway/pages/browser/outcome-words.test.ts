import test from 'ava';
import {
  type CallFailure,
  type NextStep,
  wordsOfPayment,
  wordsOfTrial,
} from '../../../../gateway/pages/browser/console/outcome-words.ts';

const FREE = /^Nothing was charged\.$/;
const UNKNOWN = /^It is not known whether .* Do not send this request again, and do not pay for it\.$/;
const signed = (state: string | null, status = 503) => ({
  status,
  isSigned: true,
  accounting: { 'x-trial-status': state },
});

const TRIALS: readonly (readonly [code: string, CallFailure['details'], NextStep, RegExp])[] = [
  ['NO_ANSWER', { isSigned: false }, 'again', FREE],
  ['OVERLOADED', { status: 503, isSigned: false }, 'again', FREE],
  ['WRONG_CHALLENGE', { isSigned: false }, 'again', FREE],
  ['INVALID_REQUEST', { status: 400, isSigned: false }, 'change', FREE],
  ['DENIED', { status: 402, isSigned: false, trial: { status: 'unavailable' } }, 'again', FREE],
  ['DENIED', { status: 402, isSigned: true, trial: { status: 'insufficient_balance' } }, 'pay', FREE],
  ['DENIED', { status: 402, isSigned: true, trial: { status: 'daily_budget_exhausted' } }, 'pay', FREE],
  ['OVERLOADED', signed('unavailable'), 'again', FREE],
  ['CALLS_FROZEN', signed('unavailable'), 'again', FREE],
  ['UPSTREAM_FAILURE', signed('released', 502), 'again', FREE],
  ['DOCUMENT_TOO_COMPLEX', signed('released', 400), 'change', FREE],
  ['EXPIRED_PROOF', signed('rejected', 401), 'again', FREE],
  ['REPLAYED_PROOF', signed('rejected', 401), 'stop', UNKNOWN],
  ['TRIAL_UNAVAILABLE', signed('unavailable'), 'stop', UNKNOWN],
  ['UPSTREAM_FAILURE', signed('accounting_uncertain', 502), 'stop', UNKNOWN],
  ['OVERLOADED', signed(null), 'stop', UNKNOWN],
  ['NO_ANSWER', { isSigned: true }, 'stop', UNKNOWN],
  ['UNCONFIRMED', signed('charged', 200), 'stop', UNKNOWN],
  ['PAGE_FAULT', {}, 'stop', UNKNOWN],
];

const UNPAID = /^Nothing was paid\.$/;
const ONCE = /^The payment may have been made\. Asking again with it pays nothing more\.$/;
const LATER = /^Ask again with the same payment after that\. Sign a new one only if the server refuses it then, too\.$/;
const MAYBE = /^The payment may have been made\. Do not pay for this request again\.$/;

const PAYMENTS: readonly (readonly [code: string, CallFailure['details'], NextStep, RegExp])[] = [
  ['NO_ANSWER', { isSigned: false }, 'pay', UNPAID],
  ['INVALID_REQUEST', { status: 400, isSigned: false }, 'change', UNPAID],
  ['WALLET_DECLINED', { isSigned: false }, 'pay', UNPAID],
  ['WALLET_OTHER_NETWORK', { isSigned: false }, 'switch', UNPAID],
  ['HTTP_402', { status: 402, isSigned: true }, 'pay', UNPAID],
  ['NOT_SETTLED', { status: 402, isSigned: true }, 'same-payment', LATER],
  ['NO_ANSWER', { isSigned: true }, 'same-payment', ONCE],
  ['SETTLEMENT_PENDING', { status: 503, isSigned: true }, 'same-payment', ONCE],
  ['RATE_LIMITED', { status: 429, isSigned: true }, 'same-payment', ONCE],
  ['DOCUMENT_TOO_SLOW', { status: 504, isSigned: true }, 'change', UNPAID],
  ['PAYMENT_REUSED', { status: 409, isSigned: true }, 'stop', MAYBE],
  ['UNCONFIRMED', { isSigned: true }, 'stop', MAYBE],
  ['PAGE_FAULT', {}, 'stop', MAYBE],
];

for (const [kind, wordsOf, rows] of [
  ['trial', wordsOfTrial, TRIALS],
  ['payment', wordsOfPayment, PAYMENTS],
] as const) {
  for (const [code, details, next, charge] of rows) {
    test(`a ${kind} that ends with ${code} ${JSON.stringify(details)} says what was charged and what to do`, (t) => {
      const words = wordsOf({ code, message: 'as the server says', details });
      t.is(words.next, next);
      t.regex(words.charge, charge);
      t.not(words.what, '');
    });
  }
}
