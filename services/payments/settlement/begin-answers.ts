import { type BeginResponse, RefusalCode } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Claim } from '../claims/claims.ts';
import type { PaymentFault } from '../payment/reason.ts';

export function replayed({ claimId, paymentResponseJson }: Claim): BeginResponse {
  return { outcome: { $case: 'replay', value: { claimId, paymentResponseJson: defined(paymentResponseJson) } } };
}

export function refuse(code: RefusalCode, reason: string, paymentResponseJson?: string): BeginResponse {
  return { outcome: { $case: 'refuse', value: { code, reason, paymentResponseJson } } };
}

export const refuseReused = (): BeginResponse => refuse(RefusalCode.REFUSAL_CODE_REUSED, 'payment_reused');

export function refuseFault({ code, reason }: PaymentFault): BeginResponse {
  return refuse(
    code === 'MALFORMED' ? RefusalCode.REFUSAL_CODE_MALFORMED : RefusalCode.REFUSAL_CODE_NOT_ACCEPTED,
    reason,
  );
}
