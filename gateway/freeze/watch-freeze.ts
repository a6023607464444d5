import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type { BackofficeClient } from '../../services/backoffice/contract/client.ts';
import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import type { Logger } from '../../services/platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../services/platform/process/repeated-errors.ts';
import type { CallFreeze, CallState } from './call-freeze.ts';

export interface FreezeWatch extends CallFreeze {
  /** Asks now. Rejects if the back office does not answer. */
  refresh(): Promise<CallState>;
  close(): void;
}

const POLL_MS = 500;
const TIMEOUT_MS = 2000;

/**
 * Follows the operator's freeze, which PostgreSQL keeps: a change reaches every process of every gateway within a second.
 * While the back office does not answer, the last answer counts: without it no call can be retained, and so none is
 * delivered.
 */
export function watchFreeze({
  backoffice,
  logger,
}: {
  readonly backoffice: Pick<BackofficeClient, 'readCallFreeze'>;
  readonly logger: Logger;
}): FreezeWatch {
  const closing = new AbortController();
  const logError = createRepeatedErrorLog({ logger, message: 'the state of the freeze could not be read' });
  let known: CallState = 'unknown';
  let asked = 0;

  async function refresh(): Promise<CallState> {
    asked += 1;
    const mine = asked;
    const state = (await readState()) ? 'frozen' : 'open';
    // An answer that took longer than a later one is older.
    if (mine !== asked) return known;
    if (state !== known && known !== 'unknown') logger.warn({ state }, 'new calls');
    known = state;
    return known;
  }

  /** A back office of an earlier release freezes nothing. */
  const readState = () =>
    backoffice.readCallFreeze({ timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
      if (error instanceof CallError && error.status === status.UNIMPLEMENTED) return false;
      throw error;
    });

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      await refresh().catch((error: unknown) => {
        if (!closing.signal.aborted) logError(error);
      });
      await delay(POLL_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  void follow();
  return { state: () => known, refresh, close: () => closing.abort() };
}
