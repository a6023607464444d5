import { status } from '@grpc/grpc-js';
import { CallError } from '../../platform/grpc/grpc-client.ts';

/** What happens to a job whose work failed. */
export type JobFailure =
  | { readonly isFinal: true; readonly code: string; readonly message: string }
  | { readonly isFinal: false; readonly spent: number; readonly delayMs: number };

/**
 * Cost of temporary failures. A service that is unavailable or busy is asked 15 times, within about ten minutes. A
 * service that fails or takes too long is asked five times. Any other failure is final.
 */
const COSTS: ReadonlyMap<status, number> = new Map([
  [status.UNAVAILABLE, 1],
  [status.RESOURCE_EXHAUSTED, 1],
  [status.ABORTED, 1],
  // The service canceled the call: no caller here did.
  [status.CANCELLED, 1],
  [status.DEADLINE_EXCEEDED, 3],
  [status.INTERNAL, 3],
  [status.UNKNOWN, 3],
]);
const BUDGET = 15;
/** The longest delay, as a multiple of the first one. */
const MAX_DELAY_OF_FIRST = 60;

/** @param spent cost of the job's earlier failures */
export function classifyFailure(error: unknown, spent: number, firstRetryMs: number): JobFailure {
  const failed = error instanceof CallError ? error.status : status.INTERNAL;
  const total = spent + (COSTS.get(failed) ?? BUDGET);
  if (total >= BUDGET) return { isFinal: true, ...describe(error, failed) };
  const delayMs = firstRetryMs * Math.min(2 ** (total - 1), MAX_DELAY_OF_FIRST);
  // Random delays spread jobs that failed together.
  return { isFinal: false, spent: total, delayMs: Math.round(delayMs * (0.75 + Math.random() / 2)) };
}

/** Tenants receive only messages of the service itself: those of gRPC contain addresses. */
function describe(error: unknown, failed: status): { readonly code: string; readonly message: string } {
  if (error instanceof CallError && error.code !== undefined) return { code: error.code, message: error.message };
  // Another version of gRPC may have statuses that are not known here.
  return { code: status[failed] ?? 'INTERNAL', message: 'the service that does the work could not be reached' };
}
