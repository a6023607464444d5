import { v7 as uuidv7 } from 'uuid';
import { Access, type ReservedTrial } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { type Ledger, LedgerUnavailableError, type ReserveOutcome } from '../../../services/ledger/contract/ledger.ts';
import type { ErrorCode } from '../../../services/platform/errors/error-codes.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import type { Admission } from '../../admission/admission.ts';
import { AppError } from '../../errors/app-error.ts';
import { assertNotFrozen, type CallFreeze } from '../../freeze/call-freeze.ts';
import type { AccessReply, AccessRequest } from '../call/access-request.ts';
import { digestBody } from '../call/body-digest.ts';
import { ACCOUNTING_MS, type Execution } from '../call/execution.ts';
import { resolveReservation, runReserved } from '../call/reserved-call.ts';
import type { Challenger, VerifiedProof } from '../challenge/challenge.ts';
import { accountingHeaders, denyTrial, trialHeaders, trialUnavailable } from './trial-answers.ts';

export interface Trial {
  /** Handles a request with a SIGN-IN-WITH-X header. @throws {AppError} */
  run(request: AccessRequest, proofHeader: string): Promise<AccessReply>;
}

export interface TrialDeps {
  readonly ledger: Ledger;
  readonly challenger: Challenger;
  readonly execution: Execution;
  readonly admission: Pick<Admission, 'run'>;
  readonly freeze: CallFreeze;
  /** CAIP-2 network whose credit the ledger holds. */
  readonly network: string;
  /** The clock of the ledger. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** A reservation before it is made: its id, and when the gateway gives up on it. */
interface Attempt {
  readonly reservationId: string;
  readonly deadlineMs: number;
  readonly trial: ReservedTrial;
}

type Reserved = Extract<ReserveOutcome, { state: 'reserved' }>;

/** Sign-in, reserve, execute, retain, post, reply: in this order, so that no result leaves before its charge is certain. */
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
  const deadlineMs = nowMs + request.operation.timeoutMs + ACCOUNTING_MS;
  const trial = {
    wallet: proof.wallet.toLowerCase(),
    nonce: proof.nonce,
    amountMicroUsd: request.operation.priceMicroUsd,
  };
  const attempt = { reservationId: uuidv7({ msecs: nowMs }), deadlineMs, trial };
  const outcome = await reserve(deps, request, proof, attempt);
  if (outcome.state === 'reserved') return runAdmitted(deps, request, attempt, outcome);
  return denyTrial(request, outcome.state, outcome.balanceMicroUsd);
}

function verifyProof({ challenger }: TrialDeps, { domain, body, offer }: AccessRequest, header: string): VerifiedProof {
  const challenged = { uri: offer.uri, domain, method: 'POST', bodyDigest: digestBody(body) };
  const proof = challenger.verify(header, challenged);
  if (!proof.ok) throw new AppError(proof.code, proof.message, { headers: trialHeaders('rejected') });
  return proof;
}

async function reserve(
  deps: TrialDeps,
  { operation, grantScope }: AccessRequest,
  { expirationTimeMs }: VerifiedProof,
  { reservationId, deadlineMs, trial }: Attempt,
): Promise<ReserveOutcome> {
  try {
    return await deps.ledger.reserve({
      reservationId,
      deadlineMs,
      expirationTimeMs,
      operation: operation.name,
      ...trial,
      ...(grantScope === undefined ? {} : { grantScope }),
    });
  } catch (error) {
    // The credit may be reserved or not. If it is, this returns it.
    if (error instanceof LedgerUnavailableError && error.code === 'uncertain') {
      void resolveReservation(deps, reservationId, 'cancelled');
    }
    throw trialUnavailable(error).with(trialHeaders('unavailable'));
  }
}

async function runAdmitted(
  deps: TrialDeps,
  request: AccessRequest,
  { reservationId, deadlineMs, trial }: Attempt,
  { position }: Reserved,
): Promise<AccessReply> {
  const ledgerPosition = { network: deps.network, ...position };
  const as = { recordId: reservationId, deadlineMs, ledgerPosition, reservedTrial: trial };
  const { resolution, body, failure } = await runReserved(deps, {
    request,
    retainAs: { access: Access.ACCESS_TRIAL, ...as },
    unavailable: trialUnavailable,
  });
  const headers = accountingHeaders(resolution);
  if (failure !== undefined) throw failure.with(headers);
  return { status: 200, headers, body };
}
