import { v7 as uuidv7 } from 'uuid';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import type { TrialOutcome } from '../../../services/ledger/contract/outcomes.ts';
import type { ErrorCode } from '../../../services/platform/errors/error-codes.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import type { Admission } from '../../admission/admission.ts';
import { AppError } from '../../errors/app-error.ts';
import { assertNotFrozen, type CallFreeze } from '../../freeze/call-freeze.ts';
import type { AccessReply, AccessRequest } from '../call/access-request.ts';
import { digestBody } from '../call/body-digest.ts';
import { ACCOUNTING_MS, type Execute } from '../call/execution.ts';
import { type ReservedCall, runReserved, voidIfUncertain } from '../call/reserved-call.ts';
import type { Challenger, VerifiedProof } from '../challenge/challenge.ts';
import { accountingHeaders, denyTrial, trialHeaders, trialUnavailable } from './trial-answers.ts';

export interface Trial {
  /** Handles a request with a SIGN-IN-WITH-X header. @throws {AppError} */
  run(request: AccessRequest, proofHeader: string): Promise<AccessReply>;
}

export interface TrialDeps {
  readonly ledger: Pick<LedgerClient, 'reserve' | 'post' | 'void'>;
  readonly challenger: Challenger;
  readonly execute: Execute;
  readonly admission: Pick<Admission, 'run'>;
  readonly freeze: CallFreeze;
  /** The clock of the ledger. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Sign-in, reserve, execute, post, reply: in this order, so that no result leaves before its charge is certain. */
export function createTrial(deps: TrialDeps): Trial {
  return {
    async run(request, proofHeader) {
      const proof = verifyProof(deps, request, proofHeader);
      try {
        assertNotFrozen(deps.freeze);
        return await deps.admission.run(request.client, () => runVerified(deps, request, proof));
      } catch (error) {
        throw isRefused(error) ? error.with(trialHeaders('unavailable')) : error;
      }
    },
  };
}

/** Whether a call was not admitted: whatever happened to an admitted call is in a header of its error. */
const isRefused = (error: unknown): error is AppError =>
  error instanceof AppError && REFUSALS.has(error.code) && !('x-trial-status' in error.headers);

const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>(['OVERLOADED', 'CALLS_FROZEN', 'SERVICE_UNAVAILABLE']);

async function runVerified(deps: TrialDeps, request: AccessRequest, proof: VerifiedProof): Promise<AccessReply> {
  const nowMs = deps.now();
  const reservationId = uuidv7({ msecs: nowMs });
  const deadlineMs = nowMs + request.operation.timeoutMs + ACCOUNTING_MS;
  const outcome = await reserve(deps, request, proof, { reservationId, deadlineMs });
  const { state } = outcome;
  if (state === 'reserved') return runAdmitted(deps, request, { reservationId, deadlineMs });
  return denyTrial(request, state, outcome.state === 'lock_lost' ? undefined : outcome.balanceMicroUsd);
}

function verifyProof({ challenger }: TrialDeps, { uri, domain, body }: AccessRequest, header: string): VerifiedProof {
  const challenged = { uri, domain, method: 'POST', bodyDigest: digestBody(body) };
  const proof = challenger.verify(header, challenged);
  if (!proof.ok) throw new AppError(proof.code, proof.message, { headers: trialHeaders('rejected') });
  return proof;
}

async function reserve(
  deps: TrialDeps,
  { operation, clientNetwork }: AccessRequest,
  { wallet, nonce, expirationTimeMs }: VerifiedProof,
  { reservationId, deadlineMs }: { readonly reservationId: string; readonly deadlineMs: number },
): Promise<TrialOutcome> {
  try {
    return await deps.ledger.reserve({
      reservationId,
      wallet,
      nonce,
      expirationTimeMs,
      deadlineMs,
      operation: operation.name,
      amountMicroUsd: operation.priceMicroUsd,
      grantScope: clientNetwork,
    });
  } catch (error) {
    voidIfUncertain(deps, reservationId, error);
    throw trialUnavailable(error).with(trialHeaders('unavailable'));
  }
}

async function runAdmitted(
  deps: TrialDeps,
  request: AccessRequest,
  reservation: Pick<ReservedCall, 'reservationId' | 'deadlineMs'>,
): Promise<AccessReply> {
  const { resolution, body, failure } = await runReserved(deps, {
    request,
    ...reservation,
    // A wallet never loses credit without a result.
    ifUncertain: 'deliver',
    unavailable: trialUnavailable,
  });
  const headers = accountingHeaders(resolution);
  if (failure !== undefined) throw failure.with(headers);
  return { status: 200, headers, body, isPaid: resolution?.state === 'posted' };
}
