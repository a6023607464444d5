import { v7 as uuidv7 } from 'uuid';
import { Access } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import {
  type Ledger,
  LedgerUnavailableError,
  type ReserveOutcome,
  type Resolution,
  type VoidReason,
} from '../../../services/ledger/ledger.ts';
import type { Logger } from '../../../services/shared/logger.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { AccessReply, AccessRequest } from '../access-request.ts';
import { digestBody } from '../body-digest.ts';
import type { Challenger, VerifiedProof } from '../challenge/challenge.ts';
import { ACCOUNTING_MS, type Execution } from '../execution.ts';
import type { TrialStatus } from '../offer/trial-info.ts';

export interface Trial {
  /** A request with a SIGN-IN-WITH-X header. @throws {AppError} */
  run(request: AccessRequest, proofHeader: string): Promise<AccessReply>;
}

export interface TrialDeps {
  readonly ledger: Ledger;
  readonly challenger: Challenger;
  readonly execution: Execution;
  /** CAIP-2 network whose credit the ledger holds. */
  readonly network: string;
  readonly now: () => number;
  readonly logger: Logger;
}

type Reserved = Extract<ReserveOutcome, { state: 'reserved' }>;

const UNAVAILABLE = 'the trial could not be accounted for; do not retry and do not pay';

/** Sign-in, reserve, execute, retain, post, reply: in this order, so that no result leaves that the ledger may not keep. */
export function createTrial(deps: TrialDeps): Trial {
  const { ledger, challenger, execution, network, now, logger } = deps;

  async function reserve(
    request: AccessRequest,
    proof: VerifiedProof,
    reservationId: string,
    deadlineMs: number,
  ): Promise<ReserveOutcome> {
    try {
      return await ledger.reserve({
        reservationId,
        deadlineMs,
        wallet: proof.wallet,
        nonce: proof.nonce,
        expirationTimeMs: proof.expirationTimeMs,
        operation: request.operation.name,
        amountMicroUsd: request.operation.priceMicroUsd,
        ...(request.grantScope === undefined ? {} : { grantScope: request.grantScope }),
      });
    } catch (error) {
      // Whether it was reserved may be unknown: if it was, this gives it back.
      if (error instanceof LedgerUnavailableError && error.code === 'uncertain')
        void resolve(reservationId, 'cancelled');
      throw new AppError('TRIAL_UNAVAILABLE', UNAVAILABLE, { cause: error, headers: trialHeaders('unavailable') });
    }
  }

  /** Voids (with a reason) or posts. Undefined: no answer came, and the sweep will decide. */
  async function resolve(reservationId: string, reason?: VoidReason): Promise<Resolution | undefined> {
    try {
      return await (reason === undefined ? ledger.post(reservationId) : ledger.void(reservationId, reason));
    } catch (error) {
      logger.error({ err: error, reservationId }, 'the ledger did not answer');
      return undefined;
    }
  }

  async function release(reservationId: string, reason: VoidReason, error: AppError): Promise<never> {
    const resolution = await resolve(reservationId, reason);
    throw error.with(resolution === undefined ? uncertain() : admitted('released', resolution.balanceMicroUsd));
  }

  async function runReserved(
    request: AccessRequest,
    reserved: Reserved,
    reservationId: string,
    deadlineMs: number,
  ): Promise<AccessReply> {
    const responseBody = await execution
      .execute(request)
      .catch((error: unknown) => release(reservationId, 'operation_failed', toAppError(error)));
    await execution
      .retain(request, responseBody, {
        access: Access.ACCESS_TRIAL,
        recordId: reservationId,
        deadlineMs,
        ledgerPosition: { network, ...reserved.position },
      })
      .catch((error: unknown) =>
        release(reservationId, 'retain_failed', new AppError('TRIAL_UNAVAILABLE', UNAVAILABLE, { cause: error })),
      );
    const posted = await resolve(reservationId);
    if (posted !== undefined && posted.state !== 'posted') {
      throw new AppError('TRIAL_UNAVAILABLE', UNAVAILABLE, { headers: admitted('released', posted.balanceMicroUsd) });
    }
    // Without an answer the sweep posts it, for the result is retained; until then nobody can confirm it.
    const headers =
      posted === undefined
        ? uncertain()
        : { ...admitted('charged', posted.balanceMicroUsd), 'x-trial-accounting-status': 'confirmed' };
    return { status: 200, headers, body: responseBody };
  }

  return {
    async run(request, proofHeader) {
      const { domain, body, offer } = request;
      const proof = challenger.verify(proofHeader, {
        uri: offer.uri,
        domain,
        method: 'POST',
        bodyDigest: digestBody(body),
      });
      if (!proof.ok) throw new AppError(proof.code, proof.message, { headers: trialHeaders('rejected') });
      const reservationId = uuidv7();
      const deadlineMs = now() + request.operation.timeoutMs + ACCOUNTING_MS;
      const outcome = await reserve(request, proof, reservationId, deadlineMs);
      if (outcome.state === 'reserved') return runReserved(request, outcome, reservationId, deadlineMs);
      return deny(request, outcome.state, outcome.balanceMicroUsd);
    },
  };
}

function deny(
  request: AccessRequest,
  state: Exclude<ReserveOutcome['state'], 'reserved'>,
  balanceMicroUsd: bigint,
): AccessReply {
  switch (state) {
    case 'insufficient_balance':
    case 'daily_budget_exhausted':
      return deniedReply(request, state, balanceMicroUsd);
    case 'grants_exhausted':
      return deniedReply(request, 'unavailable');
    case 'nonce_replayed':
      throw new AppError('REPLAYED_PROOF', 'this proof was used before; ask for a new challenge', {
        headers: trialHeaders('rejected'),
      });
    case 'expired':
      throw new AppError('EXPIRED_PROOF', 'this proof has expired; ask for a new challenge', {
        headers: trialHeaders('rejected'),
      });
    case 'throttled':
      throw new AppError('RATE_LIMITED', 'too many executions of this wallet failed within an hour', {
        headers: { ...trialHeaders('rejected'), 'retry-after': '3600' },
      });
    case 'deadline_passed':
    case 'lock_lost':
    case 'voided':
      throw new AppError('TRIAL_UNAVAILABLE', UNAVAILABLE, { headers: trialHeaders('unavailable') });
  }
}

function deniedReply(
  { offer }: AccessRequest,
  status: Exclude<TrialStatus, 'challenge' | 'discovery_probe'>,
  balanceMicroUsd?: bigint,
): AccessReply {
  const { header, body } = offer.denial(status, balanceMicroUsd);
  return { status: 402, headers: { ...trialHeaders(status, balanceMicroUsd), 'payment-required': header }, body };
}

type TrialHeaderStatus = TrialStatus | 'rejected' | 'released' | 'charged' | 'accounting_uncertain';

function trialHeaders(status: TrialHeaderStatus, balanceMicroUsd?: bigint): Record<string, string> {
  return {
    'x-trial-status': status,
    ...(balanceMicroUsd === undefined ? {} : { 'x-trial-balance-atomic': String(balanceMicroUsd) }),
  };
}

/** Headers of an answer after an execution was admitted. */
function admitted(status: TrialHeaderStatus, balanceMicroUsd?: bigint): Record<string, string> {
  return { 'x-access-mode': 'trial', ...trialHeaders(status, balanceMicroUsd) };
}

function uncertain(): Record<string, string> {
  return { ...admitted('accounting_uncertain'), 'x-trial-accounting-status': 'uncertain' };
}
