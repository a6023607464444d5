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
const [UNUSED, UNSURE, REVERTED, FLYING] = [
  { kind: 'unused' },
  { kind: 'unsure' },
  { kind: 'reverted' },
  { kind: 'in_flight' },
] as const satisfies readonly ChainView[];
const refused = (changes: Partial<Extract<SettlementReport, { kind: 'refused' }>> = {}): SettlementReport => ({
  kind: 'refused',
  reason: 'no',
  ...changes,
});
const REPORTED: SettlementReport = { kind: 'settled', transaction: SENT };
const NOTHING: SettlementReport = { kind: 'unsent' };
const UNKNOWN: SettlementReport = { kind: 'unknown' };

const cases: readonly (readonly [string, ClaimState, SettlementReport, ChainView, boolean, Result])[] = [
  ['what the chain proves counts', 'retained', refused(), ONCHAIN, true, settled(OTHER)],
  ['so does a final failure', 'settling', REPORTED, voided(true), true, failed('expired', false, true)],
  ['without a chain, the report counts', 'settling', REPORTED, UNSURE, false, settled(SENT)],
  ['with one, a report alone does not', 'retained', REPORTED, UNSURE, true, PENDING],
  ['a report of a settlement that the chain lacks', 'retained', REPORTED, UNUSED, true, PENDING],
  ['a reverted transaction', 'settling', UNKNOWN, REVERTED, true, failed('invalid_exact_evm_transaction_failed', true)],
  ['a reverted transaction with a reason', 'settling', refused(), REVERTED, true, failed('no', true)],
  [
    'burned gas after an earlier attempt',
    'settling',
    refused({ isPayersFault: true, transaction: SENT }),
    UNUSED,
    true,
    failed('no', true),
  ],
  [
    'burned gas of a used payment',
    'settling',
    refused({ isPayersFault: true, transaction: SENT }),
    FLYING,
    true,
    PENDING,
  ],
  ['a fault without a transaction', 'settling', refused({ isPayersFault: true }), UNUSED, true, PENDING],
  ['a transaction without a fault', 'settling', refused({ transaction: SENT }), UNUSED, true, PENDING],
  [
    'a transaction that another payer burned',
    'settling',
    refused({ isPayersFault: false, transaction: SENT }),
    UNUSED,
    true,
    PENDING,
  ],
  ['an unknown report with a transaction', 'settling', { kind: 'unknown', transaction: SENT }, UNUSED, true, PENDING],
  ['a refusal after an earlier attempt', 'settling', refused(), UNUSED, true, PENDING],
  ['an expiry that is not final, after an earlier attempt', 'settling', refused(), voided(false), true, PENDING],
  ['nothing sent after an earlier attempt', 'settling', NOTHING, UNUSED, true, PENDING],
  ['an expiry of a first attempt', 'retained', refused(), voided(false), true, failed('expired', false)],
  [
    'money that was moved',
    'executing',
    refused(),
    voided(false, 'x_nonce_already_used'),
    true,
    failed('x_nonce_already_used', true),
  ],
  ['nothing sent', 'retained', NOTHING, UNUSED, true, UNSENT],
  ['nothing sent, once more', 'unsent', NOTHING, UNSURE, true, UNSENT],
  ['a refusal of a first attempt', 'retained', refused(), UNUSED, true, failed('no', false)],
  ['a refusal after nothing was sent', 'unsent', refused(), UNUSED, true, failed('no', false)],
  ['a refusal without a chain', 'retained', refused(), UNSURE, false, failed('no', false)],
  ['a refusal that the chain does not confirm', 'retained', refused(), UNSURE, true, PENDING],
  [
    'a refusal for want of money',
    'retained',
    refused({ reason: 'insufficient_funds' }),
    UNUSED,
    true,
    failed('insufficient_funds', true),
  ],
  [
    'a refusal for want of balance',
    'retained',
    refused({ reason: 'x_insufficient_balance' }),
    UNUSED,
    true,
    failed('x_insufficient_balance', true),
  ],
  [
    'what our node says of the fault counts',
    'retained',
    refused({ reason: 'insufficient_funds', isPayersFault: false }),
    UNUSED,
    true,
    failed('insufficient_funds', false),
  ],
  ['no answer', 'retained', UNKNOWN, UNUSED, true, PENDING],
  ['no answer and no chain', 'retained', UNKNOWN, UNSURE, false, PENDING],
];
for (const [name, state, report, view, hasChain, expected] of cases) {
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
