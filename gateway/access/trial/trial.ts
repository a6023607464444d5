import { v7 as uuidv7 } from 'uuid';
import { Access } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import {
  type Ledger,
  LedgerUnavailableError,
  type ReserveOutcome,
  type Resolution,
  type VoidReason,
} from '../../../services/ledger/contract/ledger.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { AppError, toAppError } from '../../errors/app-error.ts';
import type { AccessReply, AccessRequest } from '../call/access-request.ts';
import { digestBody } from '../call/body-digest.ts';
import { ACCOUNTING_MS, type Execution } from '../call/execution.ts';
import { isCausedByCaller } from '../call/failure-cause.ts';
import type { Challenger, VerifiedProof } from '../challenge/challenge.ts';
import { accountingHeaders, denyTrial, trialHeaders, trialUnavailable } from './trial-answers.ts';

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
  /** The clock of the ledger. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** A reservation that was made, and when its gateway gives up on it. */
interface Admission {
  readonly reservationId: string;
  readonly deadlineMs: number;
  readonly reserved: Extract<ReserveOutcome, { state: 'reserved' }>;
}

/** How far a call came before its reservation was resolved. */
interface Progress {
  /** Answered where the ledger did not charge. */
  readonly failure: AppError;
  /** The result, where there is one. */
  readonly responseBody?: Buffer;
  /** The result is known to be retained, so a reservation that is still open will be posted by a sweep. */
  readonly isRetained?: boolean;
}

/** Sign-in, reserve, execute, retain, post, reply: in this order, so that no result leaves that the ledger may not keep. */
export function createTrial(deps: TrialDeps): Trial {
  const { ledger, challenger, execution, network, now, logger } = deps;

  async function reserve(
    request: AccessRequest,
    proof: VerifiedProof,
    { reservationId, deadlineMs }: Omit<Admission, 'reserved'>,
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
      // Whether it was reserved may be unknown. If it was, this gives it back.
      if (error instanceof LedgerUnavailableError && error.code === 'uncertain')
        void resolve(reservationId, 'cancelled');
      throw trialUnavailable(error).with(trialHeaders('unavailable'));
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

  /**
   * Answers by what the ledger says of the reservation, not by what was asked of it: a sweep may have resolved it
   * first. A result that was charged is delivered, also where the answer to its retention was lost.
   */
  function conclude(
    reservationId: string,
    resolution: Resolution | undefined,
    { failure, responseBody, isRetained = false }: Progress,
  ): AccessReply {
    const headers = accountingHeaders(resolution);
    const isDelivered = resolution === undefined ? isRetained : resolution.state === 'posted';
    if (responseBody !== undefined && isDelivered) return { status: 200, headers, body: responseBody };
    if (resolution?.state === 'posted') logger.error({ reservationId }, 'a trial without a result was charged');
    throw failure.with(headers);
  }

  async function runAdmitted(request: AccessRequest, admission: Admission): Promise<AccessReply> {
    const { reservationId, deadlineMs, reserved } = admission;
    let responseBody: Buffer;
    try {
      responseBody = await execution.execute(request);
    } catch (error) {
      const failure = toAppError(error);
      const reason = isCausedByCaller(failure) ? 'caller_failed' : 'operation_failed';
      return conclude(reservationId, await resolve(reservationId, reason), { failure });
    }
    try {
      const ledgerPosition = { network, ...reserved.position };
      const as = { access: Access.ACCESS_TRIAL, recordId: reservationId, deadlineMs, ledgerPosition };
      await execution.retain(request, responseBody, as);
    } catch (error) {
      const progress = { failure: trialUnavailable(error), responseBody };
      return conclude(reservationId, await resolve(reservationId, 'retain_failed'), progress);
    }
    const progress = { failure: trialUnavailable(), responseBody, isRetained: true };
    return conclude(reservationId, await resolve(reservationId), progress);
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
      const nowMs = now();
      const deadlineMs = nowMs + request.operation.timeoutMs + ACCOUNTING_MS;
      const admission = { reservationId: uuidv7({ msecs: nowMs }), deadlineMs };
      const outcome = await reserve(request, proof, admission);
      if (outcome.state === 'reserved') return runAdmitted(request, { ...admission, reserved: outcome });
      return denyTrial(request, outcome.state, outcome.balanceMicroUsd);
    },
  };
}
