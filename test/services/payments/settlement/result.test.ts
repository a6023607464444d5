import test from 'ava';
import type { ClaimState, Result } from '../../../../services/payments/claims/claims.ts';
import type { SettlementReport } from '../../../../services/payments/facilitator/facilitator.ts';
import {
  type ChainView,
  isFirstAttempt,
  provenResult,
  resultOf,
} from '../../../../services/payments/settlement/result.ts';
import { claimOf, failedJson, NETWORK, ONCHAIN, OTHER, SENT, settledJson } from './claim-fixture.ts';

const settled = (transaction: typeof SENT): Result => ({
  state: 'settled',
  transaction,
  paymentResponseJson: settledJson(transaction),
});
const failed = (reason: string, isPayersFault: boolean, final = false): Result => ({
  state: 'failed',
  paymentResponseJson: failedJson(reason),
  isPayersFault,
  final,
});
const PENDING: Result = { state: 'pending' };
const UNSENT: Result = { state: 'unsent' };
const voided = (isConfirmed: boolean, reason = 'expired'): ChainView => ({ kind: 'void', reason, isConfirmed });
const UNUSED: ChainView = { kind: 'unused' };
const UNSURE: ChainView = { kind: 'unsure' };
const REVERTED: ChainView = { kind: 'reverted' };
const FLYING: ChainView = { kind: 'in_flight' };
const refused = (changes: Partial<Extract<SettlementReport, { kind: 'refused' }>> = {}): SettlementReport => ({
  ...{ kind: 'refused', reason: 'no' },
  ...changes,
});
const [BY_PAYER, BY_ANOTHER] = [{ isPayersFault: true }, { isPayersFault: false }];
const [POOR, EMPTY, MOVED] = ['insufficient_funds', 'x_insufficient_balance', 'x_nonce_already_used'] as const;
const REPORTED: SettlementReport = { kind: 'settled', transaction: SENT };
const NOTHING: SettlementReport = { kind: 'unsent' };
const UNKNOWN: SettlementReport = { kind: 'unknown' };
const NO_CHAIN = false;

type Row = readonly [string, Result, ClaimState, SettlementReport, ChainView, hasChain?: boolean];
const cases: readonly Row[] = [
  ['what the chain proves counts', settled(OTHER), 'retained', refused(), ONCHAIN],
  ['so does a final failure', failed('expired', false, true), 'settling', REPORTED, voided(true)],
  ['without a chain, the report counts', settled(SENT), 'settling', REPORTED, UNSURE, NO_CHAIN],
  ['with one, a report alone does not', PENDING, 'retained', REPORTED, UNSURE],
  ['a report of a settlement that the chain lacks', PENDING, 'retained', REPORTED, UNUSED],
  ['a reverted transaction', failed('invalid_exact_evm_transaction_failed', true), 'settling', UNKNOWN, REVERTED],
  ['a reverted transaction with a reason', failed('no', true), 'settling', refused(), REVERTED],
  ['gas burned later', failed('no', true), 'settling', refused({ ...BY_PAYER, transaction: SENT }), UNUSED],
  ['burned gas of a used payment', PENDING, 'settling', refused({ ...BY_PAYER, transaction: SENT }), FLYING],
  ['a fault without a transaction', PENDING, 'settling', refused(BY_PAYER), UNUSED],
  ['a transaction without a fault', PENDING, 'settling', refused({ transaction: SENT }), UNUSED],
  ['gas that another payer burned', PENDING, 'settling', refused({ ...BY_ANOTHER, transaction: SENT }), UNUSED],
  ['an unknown report with a transaction', PENDING, 'settling', { ...UNKNOWN, transaction: SENT }, UNUSED],
  ['a refusal after an earlier attempt', PENDING, 'settling', refused(), UNUSED],
  ['an expiry that is not final, after an earlier attempt', PENDING, 'settling', refused(), voided(false)],
  ['nothing sent after an earlier attempt', PENDING, 'settling', NOTHING, UNUSED],
  ['an expiry of a first attempt', failed('expired', false), 'retained', refused(), voided(false)],
  ['money that was moved', failed(MOVED, true), 'executing', refused(), voided(false, MOVED)],
  ['nothing sent', UNSENT, 'retained', NOTHING, UNUSED],
  ['nothing sent, once more', UNSENT, 'unsent', NOTHING, UNSURE],
  ['a refusal of a first attempt', failed('no', false), 'retained', refused(), UNUSED],
  ['a refusal after nothing was sent', failed('no', false), 'unsent', refused(), UNUSED],
  ['a refusal without a chain', failed('no', false), 'retained', refused(), UNSURE, NO_CHAIN],
  ['a refusal that the chain does not confirm', PENDING, 'retained', refused(), UNSURE],
  ['a refusal for want of money', failed(POOR, true), 'retained', refused({ reason: POOR }), UNUSED],
  ['a refusal for want of balance', failed(EMPTY, true), 'retained', refused({ reason: EMPTY }), UNUSED],
  ['a fault that our node denies', failed(POOR, false), 'retained', refused({ ...BY_ANOTHER, reason: POOR }), UNUSED],
  ['no answer', PENDING, 'retained', UNKNOWN, UNUSED],
  ['no answer and no chain', PENDING, 'retained', UNKNOWN, UNSURE, NO_CHAIN],
];
for (const [name, expected, state, report, view, hasChain = true] of cases) {
  test(`the result of an attempt: ${name}`, (t) => {
    t.deepEqual(resultOf(NETWORK, claimOf({ state }), { report, view, hasChain }), expected);
  });
}

test('the chain proves a settlement, and a failure that is final', (t) => {
  const proven = (view: ChainView) => provenResult(NETWORK, claimOf(), view);
  t.deepEqual(proven(ONCHAIN), settled(OTHER) as never);
  t.deepEqual(proven(voided(true)), failed('expired', false, true) as never);
  for (const view of [voided(false), UNUSED, UNSURE, REVERTED, FLYING]) t.is(proven(view), undefined);
});

test('the first attempt is that of a claim without one', (t) => {
  const states: readonly ClaimState[] = ['executing', 'retained', 'settling', 'unsent', 'settled', 'failed'];
  t.deepEqual(
    states.filter((state) => isFirstAttempt(claimOf({ state }))),
    ['executing', 'retained'],
  );
});
