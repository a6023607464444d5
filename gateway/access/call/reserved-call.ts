import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import { LedgerUnavailableError } from '../../../services/ledger/contract/ledger.ts';
import type { Posting, Voiding, VoidReason } from '../../../services/ledger/contract/outcomes.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { type AppError, toAppError } from '../../errors/app-error.ts';
import type { AccessRequest } from './access-request.ts';
import { type Execute, requestBodyOf } from './execution.ts';
import { isCausedByCaller } from './failure-cause.ts';

export interface VoidingDeps {
  readonly ledger: Pick<LedgerClient, 'void'>;
  readonly logger: Logger;
}

export interface ReservedCallDeps extends VoidingDeps {
  readonly ledger: Pick<LedgerClient, 'post' | 'void'>;
  readonly execute: Execute;
  /** The clock of the ledger. */
  readonly now: () => number;
}

/** A call whose price is reserved in the ledger. */
export interface ReservedCall {
  readonly request: AccessRequest;
  readonly reservationId: string;
  /** After it, the reservation cannot be charged. */
  readonly deadlineMs: number;
  /** What becomes of a result if no answer tells whether it was charged. A withheld one must be free to be called again. */
  readonly ifUncertain: 'deliver' | 'withhold';
  /** The error of a call that could not be accounted for. */
  readonly unavailable: (cause?: unknown) => AppError;
  /** The error of a call whose result is withheld, because it may be charged later. `unavailable` by default. */
  readonly pending?: (cause: unknown) => AppError;
}

/** How the ledger resolved a reservation. */
export type Resolution = Posting | Voiding;

/** How a reserved call ended. The resolution is undefined if the ledger did not answer. */
export type ReservedOutcome = { readonly resolution: Resolution | undefined } & (
  | { readonly body: Buffer; readonly failure?: never }
  | { readonly body?: never; readonly failure: AppError }
);

/**
 * Executes the call, then charges it and stores its answer, in one commit: no result leaves before its charge is certain.
 * A failure voids.
 */
export async function runReserved(deps: ReservedCallDeps, call: ReservedCall): Promise<ReservedOutcome> {
  const { request, reservationId } = call;
  let body: Buffer;
  try {
    body = await deps.execute(request);
  } catch (error) {
    const failure = toAppError(error);
    const reason = isCausedByCaller(failure) ? 'caller_failed' : 'operation_failed';
    const resolution = await voidReservation(deps, reservationId, reason);
    if (resolution?.state === 'posted') deps.logger.error({ reservationId }, 'a call without a result was charged');
    return { resolution, failure };
  }
  return post(deps, call, body);
}

async function post(deps: ReservedCallDeps, call: ReservedCall, body: Buffer): Promise<ReservedOutcome> {
  const { request, reservationId, deadlineMs, ifUncertain, unavailable, pending = unavailable } = call;
  const { requestId } = request;
  try {
    const answer = { reservationId, requestId, requestBody: requestBodyOf(request), responseBody: body };
    const resolution = await deps.ledger.post(answer, deadlineMs - deps.now());
    return resolution.state === 'posted' ? { resolution, body } : { resolution, failure: unavailable() };
  } catch (error) {
    deps.logger.error({ err: error, reservationId }, 'a call was not charged');
    const isRefused = error instanceof LedgerUnavailableError && error.code !== 'uncertain';
    if (isRefused) {
      const resolution = await voidReservation(deps, reservationId, 'retain_failed');
      return resolution?.state === 'posted' ? { resolution, body } : { resolution, failure: unavailable(error) };
    }
    if (ifUncertain === 'deliver') return { resolution: undefined, body };
    void voidReservation(deps, reservationId, 'retain_failed');
    return { resolution: undefined, failure: pending(error) };
  }
}

/** Returns what is reserved. Undefined if no answer came: a sweep will do it. */
export async function voidReservation(
  { ledger, logger }: VoidingDeps,
  reservationId: string,
  reason: VoidReason,
): Promise<Voiding | undefined> {
  try {
    return await ledger.void(reservationId, reason);
  } catch (error) {
    logger.error({ err: error, reservationId }, 'the ledger did not answer');
    return undefined;
  }
}

/** After the answer of a reservation was lost, it may have been made. Then this returns it, and nobody waits for that. */
export function voidIfUncertain(deps: VoidingDeps, reservationId: string, error: unknown): void {
  if (error instanceof LedgerUnavailableError && error.code === 'uncertain') {
    void voidReservation(deps, reservationId, 'cancelled');
  }
}
