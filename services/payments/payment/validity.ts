import type { Authorization } from './authorization.ts';
import { explain, type PaymentFault } from './reason.ts';

/** Time for the settlement after the operation. */
const SETTLEMENT_ROOM_S = 15;
/** Longest validity: the payer's money is committed for that time. */
const MAX_VALIDITY_S = 3600;

/** Checks that the authorization is valid as long as the operation and its settlement may take, and not much longer. */
export function checkValidity(
  { validAfter, validBefore }: Authorization,
  nowMs: number,
  operationTimeoutMs: number,
): PaymentFault | undefined {
  const nowS = Math.floor(nowMs / 1000);
  if (validAfter > BigInt(nowS)) return refuse('valid_after', `validAfter must be at most ${nowS}, the time here`);
  const earliestS = nowS + Math.ceil(operationTimeoutMs / 1000) + SETTLEMENT_ROOM_S;
  const latestS = nowS + MAX_VALIDITY_S;
  if (validBefore < BigInt(earliestS) || validBefore > BigInt(latestS)) {
    return refuse('valid_before', `validBefore must be from ${earliestS} to ${latestS}; the time here is ${nowS}`);
  }
  return undefined;
}

const refuse = (name: 'valid_after' | 'valid_before', sentence: string): PaymentFault => ({
  code: 'NOT_ACCEPTED',
  reason: explain(`invalid_exact_evm_payload_authorization_${name}`, sentence),
});
