import type { Ledger, Resolution, VoidReason } from '../../../services/ledger/contract/ledger.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { type AppError, toAppError } from '../../errors/app-error.ts';
import type { AccessRequest } from './access-request.ts';
import type { Execution, RetainAs } from './execution.ts';
import { isCausedByCaller } from './failure-cause.ts';

export interface ReservedCallDeps {
  readonly ledger: Pick<Ledger, 'post' | 'void'>;
  readonly execution: Execution;
  readonly logger: Logger;
}

/** A call whose price is reserved in the ledger. */
export interface ReservedCall {
  readonly request: AccessRequest;
  /** `recordId` is the id of the reservation. */
  readonly retainAs: RetainAs;
  /** The error of a call that could not be accounted for. */
  readonly unavailable: (cause?: unknown) => AppError;
}

/** How a reserved call ended. The resolution is undefined if the ledger did not answer: a sweep will decide. */
export type ReservedOutcome = { readonly resolution: Resolution | undefined } & (
  | { readonly body: Buffer; readonly failure?: never }
  | { readonly body?: never; readonly failure: AppError }
);

/** How far a call came before its reservation was resolved. */
interface Progress {
  /** Makes the answer if the ledger did not charge. Most calls need none, and an error records its stack. */
  readonly failure: () => AppError;
  /** The result, if the operation returned one. */
  readonly responseBody?: Buffer;
  /** Whether the result is known to be retained. A sweep then posts the reservation if it is still open. */
  readonly isRetained?: boolean;
}

/** Execute, retain, post: in this order, so that no result leaves before its charge is certain. A failure voids. */
export async function runReserved(deps: ReservedCallDeps, call: ReservedCall): Promise<ReservedOutcome> {
  const { request, retainAs, unavailable } = call;
  const { recordId } = retainAs;
  const end = async (progress: Progress, reason?: VoidReason) =>
    conclude(deps, recordId, await resolveReservation(deps, recordId, reason), progress);
  let responseBody: Buffer;
  try {
    responseBody = await deps.execution.execute(request);
  } catch (error) {
    const failure = toAppError(error);
    return end({ failure: () => failure }, isCausedByCaller(failure) ? 'caller_failed' : 'operation_failed');
  }
  try {
    await deps.execution.retain(request, responseBody, retainAs);
  } catch (error) {
    return end({ failure: () => unavailable(error), responseBody }, 'retain_failed');
  }
  return end({ failure: () => unavailable(), responseBody, isRetained: true });
}

/** Voids the reservation (with a reason) or posts it. Undefined if no answer came: a sweep will decide. */
export async function resolveReservation(
  { ledger, logger }: Omit<ReservedCallDeps, 'execution'>,
  reservationId: string,
  reason?: VoidReason,
): Promise<Resolution | undefined> {
  try {
    return await (reason === undefined ? ledger.post(reservationId) : ledger.void(reservationId, reason));
  } catch (error) {
    logger.error({ err: error, reservationId }, 'the ledger did not answer');
    return undefined;
  }
}

/**
 * Decides by how the ledger resolved the reservation, not by what was requested: a sweep may have resolved it first. A
 * result that was charged is delivered even if the answer to its retention was lost.
 */
function conclude(
  { logger }: ReservedCallDeps,
  reservationId: string,
  resolution: Resolution | undefined,
  { failure, responseBody, isRetained = false }: Progress,
): ReservedOutcome {
  const isDelivered = resolution === undefined ? isRetained : resolution.state === 'posted';
  if (responseBody !== undefined && isDelivered) return { resolution, body: responseBody };
  if (resolution?.state === 'posted') logger.error({ reservationId }, 'a call without a result was charged');
  return { resolution, failure: failure() };
}
