import type { TrialOutcome } from '../../../services/ledger/contract/outcomes.ts';
import type { TrialStatus } from '../../../services/ledger/contract/trial-terms.ts';
import { AppError } from '../../errors/app-error.ts';
import type { AccessReply, AccessRequest } from '../call/access-request.ts';
import type { Resolution } from '../call/reserved-call.ts';

type Denial = Exclude<TrialOutcome['state'], 'reserved'>;
type TrialHeaderStatus = TrialStatus | 'rejected' | 'released' | 'charged' | 'accounting_uncertain';

const UNAVAILABLE = 'the trial could not be accounted for; do not retry and do not pay';

export function trialUnavailable(cause?: unknown): AppError {
  return new AppError('TRIAL_UNAVAILABLE', UNAVAILABLE, { cause });
}

export function trialHeaders(status: TrialHeaderStatus, balanceMicroUsd?: bigint): Record<string, string> {
  return {
    'x-trial-status': status,
    ...(balanceMicroUsd === undefined ? {} : { 'x-trial-balance-atomic': String(balanceMicroUsd) }),
  };
}

/** Headers of an answer after an execution was admitted: how the ledger resolved the reservation. */
export function accountingHeaders(resolution: Resolution | undefined): Record<string, string> {
  const admitted = { 'x-access-mode': 'trial' };
  if (resolution?.state === 'posted') {
    const { balanceMicroUsd } = resolution;
    return { ...admitted, ...trialHeaders('charged', balanceMicroUsd), 'x-trial-accounting-status': 'confirmed' };
  }
  // Of an unknown reservation, the ledger cannot tell the balance of its wallet.
  if (resolution?.state === 'voided') {
    return { ...admitted, ...trialHeaders('released', resolution.balanceMicroUsd) };
  }
  return { ...admitted, ...trialHeaders('accounting_uncertain'), 'x-trial-accounting-status': 'uncertain' };
}

/** What became of the call that used a proof, and how to go on. */
const USED_FOR = {
  nonce_posted:
    'its call was executed and charged, and the result is not sent again. To make another call, which is charged too, sign a new challenge',
  nonce_reserved:
    'its call has not ended, and is charged only if it succeeds. The result is for the request that came first; a new challenge is for another call',
  nonce_replayed: 'your wallet was not charged for it. To make a call, sign a new challenge',
} as const;

/** The answer to a request whose reservation was denied. @throws {AppError} */
export function denyTrial(request: AccessRequest, state: Denial, balanceMicroUsd: bigint | undefined): AccessReply {
  switch (state) {
    case 'insufficient_balance':
    case 'daily_budget_exhausted':
      return deniedReply(request, state, balanceMicroUsd);
    case 'grants_exhausted':
      return deniedReply(request, 'unavailable');
    case 'nonce_posted':
    case 'nonce_reserved':
    case 'nonce_replayed':
      throw new AppError('REPLAYED_PROOF', `this proof was used before; ${USED_FOR[state]}`, {
        headers: trialHeaders('rejected'),
      });
    case 'expired':
      throw new AppError('EXPIRED_PROOF', 'this proof has expired; ask for a new challenge', {
        headers: trialHeaders('rejected'),
      });
    case 'throttled':
      throw new AppError('RATE_LIMITED', 'too many requests of this wallet failed within an hour by their own fault', {
        headers: { ...trialHeaders('rejected'), 'retry-after': '3600' },
      });
    case 'deadline_passed':
    case 'lock_lost':
    // A new id has none of these states, so another reservation has it, which must not be voided.
    case 'posted':
    case 'voided':
    case 'conflict':
      throw trialUnavailable().with(trialHeaders('unavailable'));
  }
}

function deniedReply(
  { offer }: AccessRequest,
  status: Exclude<TrialStatus, 'challenge' | 'discovery_probe'>,
  balanceMicroUsd?: bigint,
): AccessReply {
  const { header, body } = offer.denial(status, { balanceMicroUsd });
  return { status: 402, headers: { ...trialHeaders(status, balanceMicroUsd), 'payment-required': header }, body };
}
