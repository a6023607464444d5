import type { AccessReply, AccessRequest } from '../../../../gateway/access/call/access-request.ts';
import { correct, describeSettled, stateOf } from '../../../../gateway/access/channel/channel-answers.ts';
import { refuse } from '../../../../gateway/access/payment/payment-answers.ts';
import { encodeResponse, type PaymentOutcome } from '../../../../gateway/access/payment/payment-outcome.ts';
import { accountingHeaders, denyTrial, trialHeaders } from '../../../../gateway/access/trial/trial-answers.ts';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import { TERMS } from './offer-fixture.ts';

const ADDRESS = `0x${'a'.repeat(40)}`;
const BYTES_32 = `0x${'b'.repeat(64)}`;
const UINT_128 = String(2n ** 128n - 1n);
/** The longest reason that a facilitator may give. */
const REASON = 'x'.repeat(80);
/** Text that JSON escapes and UTF-8 makes longer. */
const ENDLESS = '"\\\n€'.repeat(5000);

const CONTRACT = {
  channelId: BYTES_32,
  balance: UINT_128,
  totalClaimed: UINT_128,
  refundNonce: String(2n ** 256n - 1n),
  withdrawAmount: UINT_128,
  withdrawRequestedAtS: 2n ** 40n - 1n,
  blockNumber: 1n,
};
const BIGINT = 2n ** 63n - 1n;
const ACCOUNT = {
  balanceMicroUsd: MAX_MICRO_USD,
  fundedMicroUsd: MAX_MICRO_USD,
  reservedMicroUsd: MAX_MICRO_USD,
  chargedMicroUsd: MAX_MICRO_USD,
  voucher: { cumulativeMicroUsd: MAX_MICRO_USD, signature: `0x${'c'.repeat(130)}` },
  contract: { balance: BIGINT, totalClaimed: BIGINT, refundNonce: BIGINT, withdrawRequestedAtS: 2n ** 40n - 1n },
};
const EXACT = { success: true, transaction: BYTES_32, network: TERMS.network, payer: ADDRESS };
const SETTLED = {
  payer: ADDRESS,
  network: TERMS.network,
  state: stateOf(BYTES_32, MAX_MICRO_USD, CONTRACT),
  chargedMicroUsd: MAX_MICRO_USD,
};
const DEPOSITED = describeSettled({ ...SETTLED, sent: { transaction: BYTES_32, amount: UINT_128 } });

const settled = (paymentResponseJson: string): PaymentOutcome => ({
  kind: 'settled',
  body: Buffer.from('{}'),
  paymentResponseJson,
});

/** Outcomes of payments, with the longest values. @throws {AppError} as payments do */
export const PAYMENTS: Readonly<Record<string, () => PaymentOutcome>> = {
  'exact, 200': () => settled(JSON.stringify(EXACT)),
  'channel, 200': () => settled(describeSettled(SETTLED)),
  'channel with a deposit, 200': () => settled(DEPOSITED),
  'verification failed': () => refuse({ code: RefusalCode.REFUSAL_CODE_NOT_ACCEPTED, reason: REASON }),
  'refused with an endless reason': () => ({ kind: 'refused', reason: ENDLESS }),
  'settlement failed': () => {
    const paymentResponseJson = JSON.stringify({ ...EXACT, success: false, errorReason: REASON });
    return refuse({ code: RefusalCode.REFUSAL_CODE_CLOSED, reason: '', paymentResponseJson });
  },
  'channel corrected': () => ({
    ...correct(BYTES_32, ACCOUNT),
    reason: ENDLESS,
  }),
  'refused after a deposit': () => ({ kind: 'refused', reason: ENDLESS, paymentResponseJson: DEPOSITED }),
  'reused, 409': () => refuse({ code: RefusalCode.REFUSAL_CODE_REUSED, reason: '' }),
  'pending, 503': () => refuse({ code: RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, reason: '' }),
  'malformed, 400': () => refuse({ code: RefusalCode.REFUSAL_CODE_MALFORMED, reason: ENDLESS }),
  'failed after a deposit, 503': () => {
    const headers = { 'payment-response': encodeResponse(DEPOSITED), 'retry-after': '3600' };
    throw new AppError('SERVICE_UNAVAILABLE', ENDLESS, { headers });
  },
};

const denials = (
  ['insufficient_balance', 'daily_budget_exhausted', 'grants_exhausted', 'nonce_replayed', 'throttled'] as const
).map((state) => [state, (request: AccessRequest) => denyTrial(request, state, MAX_MICRO_USD)] as const);

/** Outcomes of trials, with the largest balance. @throws {AppError} as trials do */
export const TRIALS: Readonly<Record<string, (request: AccessRequest) => AccessReply>> = {
  ...Object.fromEntries(denials),
  'charged, 200': () => ({
    status: 200,
    headers: accountingHeaders({ state: 'posted', balanceMicroUsd: MAX_MICRO_USD }),
    body: '{}',
  }),
  'uncertain, 503': () => {
    throw new AppError('TRIAL_UNAVAILABLE', ENDLESS, { headers: accountingHeaders(undefined) });
  },
  'proof refused, 400': () => {
    throw new AppError('MALFORMED_PROOF', ENDLESS, { headers: trialHeaders('rejected') });
  },
};
