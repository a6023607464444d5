import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { CallError } from '../../platform/grpc/grpc-client.ts';
import { LedgerUnavailableError } from './ledger.ts';

/** Codes with which the service says that nothing was done. */
const REFUSALS: ReadonlySet<string> = new Set([
  'LEDGER_REFUSED',
  'INVALID_ARGUMENT',
  'RETENTION_UNAVAILABLE',
  'OVERLOADED',
]);
const REFUSING_STATUSES: ReadonlySet<status> = new Set([status.RESOURCE_EXHAUSTED, status.UNIMPLEMENTED]);
/** How grpc-js says that it found no connection on which a call could be sent. */
const NOT_SENT = /No connection established|^Name resolution failed/;
const RETRY_MS = 25;

const isNotSent = (error: unknown): boolean =>
  error instanceof CallError && error.status === status.UNAVAILABLE && NOT_SENT.test(error.message);

/** Whether a call of the service was certainly not done. */
export function explainFailure(error: unknown): LedgerUnavailableError {
  if (error instanceof LedgerUnavailableError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const fail = (code: LedgerUnavailableError['code']) => new LedgerUnavailableError(code, reason, { cause: error });
  if (!(error instanceof CallError)) return fail('uncertain');
  const { code, status: answered } = error;
  if (code === 'LEDGER_CLOSED') return fail('not_ready');
  if (code === undefined ? isNotSent(error) || REFUSING_STATUSES.has(answered) : REFUSALS.has(code)) {
    return fail('refused');
  }
  return fail('uncertain');
}

/**
 * Asks until it is known whether something was done, or until the deadline. Only for calls that are idempotent by id.
 * @param ask gets the time that is left
 * @throws {LedgerUnavailableError} `uncertain` if any attempt was: a refusal after it says nothing about it
 */
export async function askUntilKnown<Answer>(
  ask: (leftMs: number) => Promise<Answer>,
  { untilMs, monotonicMs }: { readonly untilMs: number; readonly monotonicMs: () => number },
): Promise<Answer> {
  let isUncertain = false;
  let leftMs = untilMs - monotonicMs();
  for (;;) {
    try {
      return await ask(leftMs);
    } catch (error) {
      const failure = explainFailure(error);
      isUncertain ||= failure.code === 'uncertain';
      const mayHelp = isUncertain || isNotSent(failure.cause);
      if (mayHelp) await delay(RETRY_MS);
      // An attempt without time would be uncertain for no reason.
      leftMs = untilMs - monotonicMs();
      if (!mayHelp || leftMs <= RETRY_MS) {
        throw isUncertain ? new LedgerUnavailableError('uncertain', failure.message, { cause: error }) : failure;
      }
    }
  }
}
