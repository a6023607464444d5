import { setTimeout as delay } from 'node:timers/promises';
import type { BackofficeClient } from '../../services/backoffice/contract/client.ts';
import type { Logger } from '../../services/platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../services/platform/process/repeated-errors.ts';
import type { CallFreeze, CallState } from './call-freeze.ts';

export interface FreezeWatch extends CallFreeze {
  /** Asks now. Rejects if the back office does not answer. */
  refresh(): Promise<CallState>;
  close(): void;
}

const OTHER_KEY =
  'no paid or trial calls: FINGERPRINT_KEY is another one than the records of payments were made with; give this gateway that key';

const POLL_MS = 500;
const TIMEOUT_MS = 2000;

/**
 * Follows the operator's freeze, which PostgreSQL keeps: a change reaches every process of every gateway within a second.
 * While the back office does not answer, the last answer counts: without it no call can be retained, and so none is
 * delivered.
 */
export function watchFreeze({
  backoffice,
  keyCheck,
  logger,
}: {
  readonly backoffice: Pick<BackofficeClient, 'readCallFreeze'>;
  /** Of the key of fingerprints. */
  readonly keyCheck: string;
  readonly logger: Logger;
}): FreezeWatch {
  const closing = new AbortController();
  const logError = createRepeatedErrorLog({ logger, message: 'the state of the freeze could not be read' });
  let known: CallState = 'unknown';
  let asked = 0;

  async function refresh(): Promise<CallState> {
    asked += 1;
    const mine = asked;
    const state = await readState();
    // An answer that took longer than a later one is older.
    if (mine !== asked) return known;
    if (state !== known && state === 'other_key') logger.error(OTHER_KEY);
    else if (state !== known && known !== 'unknown') logger.warn({ state }, 'new calls');
    known = state;
    return known;
  }

  async function readState(): Promise<CallState> {
    const { frozen, otherFingerprintKey } = await backoffice.readCallFreeze(keyCheck, { timeoutMs: TIMEOUT_MS });
    if (otherFingerprintKey) return 'other_key';
    return frozen ? 'frozen' : 'open';
  }

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
