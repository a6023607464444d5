import { status } from '@grpc/grpc-js';
import { CallError } from '../../platform/grpc/grpc-client.ts';

/** What becomes of a job whose work failed. */
export type Verdict =
  | { readonly isFinal: true; readonly code: string; readonly message: string }
  | { readonly isFinal: false; readonly spent: number; readonly delayMs: number };

/**
 * Failures that may pass, and what one costs of the budget: a service that is away or busy is asked 15 times, within
 * about ten minutes; one that fails or does not come to an end, five times.
 */
const COSTS: ReadonlyMap<status, number> = new Map([
  [status.UNAVAILABLE, 1],
  [status.RESOURCE_EXHAUSTED, 1],
  [status.ABORTED, 1],
  // By the service: nobody here did.
  [status.CANCELLED, 1],
  [status.DEADLINE_EXCEEDED, 3],
  [status.INTERNAL, 3],
  [status.UNKNOWN, 3],
]);
const BUDGET = 15;
const MAX_DELAY_OF_FIRST = 60;

/** @param spent what earlier failures of the job have cost */
export function judgeFailure(error: unknown, spent: number, firstRetryMs: number): Verdict {
  const failed = error instanceof CallError ? error.status : status.INTERNAL;
  const cost = COSTS.get(failed);
  const total = spent + (cost ?? BUDGET);
  if (total >= BUDGET) return { isFinal: true, ...describe(error, failed) };
  const delayMs = firstRetryMs * Math.min(2 ** (total - 1), MAX_DELAY_OF_FIRST);
  // Jobs that failed together do not come back together.
  return { isFinal: false, spent: total, delayMs: Math.round(delayMs * (0.75 + Math.random() / 2)) };
}

/** Only what the service itself says is for its tenants: gRPC's own words name addresses. */
function describe(error: unknown, failed: status): { readonly code: string; readonly message: string } {
  if (error instanceof CallError && error.code !== undefined) return { code: error.code, message: error.message };
  return { code: status[failed] ?? 'INTERNAL', message: 'the service that does the work could not be asked' };
}
