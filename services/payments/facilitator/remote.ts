import { channel } from 'node:diagnostics_channel';
import { HTTPFacilitatorClient } from '@x402/core/http';
import {
  type PaymentPayload,
  type PaymentRequirements,
  SettleError,
  type SettleResponse,
  VerifyError,
} from '@x402/core/types';
import { isAddress, isAddressEqual } from 'viem';
import { type Payment, toPayload } from '../payment.ts';
import { type Facilitator, FacilitatorError, readHash, type SettlementClaim, safeReason } from './facilitator.ts';

const step = channel('tollhouse:step');

/** Failures after which no byte of a request has left. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** An x402 facilitator over HTTP. */
export function createRemoteFacilitator(options: { readonly url: string; readonly timeoutMs: number }): Facilitator {
  const client = new HTTPFacilitatorClient(options);
  return {
    async verify(payment) {
      try {
        const answer = await client.verify(...toRequest(payment));
        if (!answer.isValid) return { ok: false, reason: safeReason(answer.invalidReason, 'verification_failed') };
        if (!isPayer(answer.payer, payment)) throw new FacilitatorError('the facilitator verified another payer');
        return { ok: true };
      } catch (error) {
        if (error instanceof VerifyError && error.statusCode < 500) {
          return { ok: false, reason: safeReason(error.invalidReason, 'verification_failed') };
        }
        if (error instanceof FacilitatorError) throw error;
        throw new FacilitatorError('the facilitator did not verify', { cause: error });
      }
    },
    async settle(payment) {
      try {
        const answer = await client.settle(...toRequest(payment));
        step.publish('settle.sent');
        return readSettlement(answer, payment);
      } catch (error) {
        return readSettlementError(error);
      }
    },
  };
}

function toRequest(payment: Payment): [PaymentPayload, PaymentRequirements] {
  const requirements = { ...payment.offer, extra: { ...payment.offer.extra } };
  // The package's types want a full ResourceInfo; it passes on what it is given.
  const payload = { ...toPayload(payment), accepted: requirements } as unknown as PaymentPayload;
  return [payload, requirements];
}

const isPayer = (payer: string | undefined, payment: Payment) =>
  payer === undefined || (isAddress(payer, { strict: false }) && isAddressEqual(payer, payment.payer));

function readSettlement(answer: SettleResponse, payment: Payment): SettlementClaim {
  const transaction = readHash(answer.transaction);
  const found = transaction && { transaction };
  if (!answer.success) {
    // With a transaction it may still come: `settlement_pending`, or a hash that the facilitator gave up waiting for.
    if (transaction || answer.errorReason === 'settlement_pending') return { kind: 'unknown', ...found };
    return { kind: 'refused', reason: safeReason(answer.errorReason, 'settlement_failed') };
  }
  const sane = transaction && answer.network === payment.offer.network && isPayer(answer.payer, payment);
  return sane ? { kind: 'settled', transaction } : { kind: 'unknown', ...found };
}

function readSettlementError(error: unknown): SettlementClaim {
  if (error instanceof SettleError) {
    const transaction = readHash(error.transaction);
    if (transaction || error.statusCode >= 500) return { kind: 'unknown', ...(transaction && { transaction }) };
    return { kind: 'refused', reason: safeReason(error.errorReason, 'settlement_failed') };
  }
  const code = error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
  if (typeof code === 'string' && NOT_CONNECTED.has(code)) return { kind: 'unsent' };
  // These (key, path, size, quota) come before any work. Any other status may come after it: 408 and 499 are time-outs.
  if (error instanceof Error && /^Facilitator settle failed \((40[0-7]|41[0-7]|42[129])\)/.test(error.message)) {
    return { kind: 'unsent' };
  }
  return { kind: 'unknown' };
}
