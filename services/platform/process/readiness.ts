import { within } from '../within.ts';
import { ConfigurationError } from './environment.ts';
import type { Logger } from './logger.ts';

/** Of a service that is not ready. One that is ready is checked half as often. */
const CHECK_EVERY_MS = 1000;
/** At least the timeout of every single call of a check. */
const ANSWER_WITHIN_MS = 5000;

export interface ReadinessOptions {
  /** Throws while the service cannot do its work. One check runs at a time. */
  readonly check: () => Promise<void>;
  readonly setReady: (ready: boolean) => void;
  readonly logger: Logger;
  readonly checkEveryMs?: number;
  /** A check that takes longer means not ready. The first check has no limit. */
  readonly answerWithinMs?: number;
}

/**
 * Checks once, and then regularly until the returned function is called. A wrong setting ends a service that was
 * never ready, because waiting would not help.
 * @throws {ConfigurationError} from the first check
 */
export async function startReadiness(options: ReadinessOptions): Promise<() => void> {
  const { check, setReady, logger, checkEveryMs = CHECK_EVERY_MS, answerWithinMs = ANSWER_WITHIN_MS } = options;
  let isStopped = false;
  let wasReady: boolean | undefined;
  let wasEverReady = false;
  let running: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Resolves with the error of the check, if any. A check that hangs is not started again. */
  function findFailure(): Promise<unknown> {
    running ??= check()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  function note(failure: unknown): void {
    if (isStopped) return;
    if (failure instanceof ConfigurationError && !wasEverReady) throw failure;
    const isReady = failure === undefined;
    if (isReady === wasReady) return;
    wasReady = isReady;
    wasEverReady ||= isReady;
    setReady(isReady);
    if (isReady) logger.info('ready');
    else logger.warn({ err: failure }, 'not ready');
  }

  /** A rejection ends the process. */
  async function repeat(): Promise<void> {
    const late = () => new Error(`the check took longer than ${answerWithinMs} ms`);
    note(await within(findFailure(), answerWithinMs, late));
    schedule();
  }

  function schedule(): void {
    if (!isStopped) timer = setTimeout(() => void repeat(), wasReady === true ? 2 * checkEveryMs : checkEveryMs);
  }

  note(await findFailure());
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
