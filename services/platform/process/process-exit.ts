import cluster from 'node:cluster';
import closeWithGrace from 'close-with-grace';
import { StartError } from './environment.ts';
import type { Logger } from './logger.ts';

/** Longest time to close. The deadlines of calls and twice STOP_GRACE_MS are shorter together. */
const CLOSE_MS = 65_000;

/** Signals that a terminal sends to all processes. Those of a cluster wait until their primary tells them to exit. */
const OF_TERMINAL = ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const;

/** `hasFailed` is false if a signal ends the process, and true if an error does. */
export type Close = (cause: { readonly hasFailed: boolean }) => Promise<void>;

/**
 * Logs why this process exits: a signal, an uncaught exception, an unhandled rejection, or another cause. Call it before
 * anything else starts.
 *
 * @returns a function that sets what to close before the exit. Until it is called, the process exits at once.
 */
export function watchExit(logger: Logger): (close: Close) => void {
  let close: Close = async () => {};
  let isCauseLogged = false;
  const fatal = (fields: object, message: string) => {
    isCauseLogged = true;
    logger.fatal(fields, message);
  };
  process.once('exit', (code) => {
    if (!isCauseLogged) fatal({ code }, 'process exits without a known cause');
  });
  if (cluster.isWorker) for (const signal of OF_TERMINAL) process.on(signal, () => {});
  closeWithGrace(
    {
      delay: CLOSE_MS,
      logger: undefined,
      // The listener of 'exit' reports it, and the exit code stays an error.
      skip: cluster.isWorker ? ['beforeExit', ...OF_TERMINAL] : ['beforeExit'],
      onSecondSignal: (signal) => fatal({ signal }, `process exits without closing: ${signal} again`),
      onSecondError: (err) => fatal({ err }, 'process exits without closing: another uncaught error'),
      onTimeout: () => fatal({}, `process exits: it did not close within ${CLOSE_MS} ms`),
    },
    async ({ signal, err }) => {
      isCauseLogged = true;
      if (signal !== undefined) logger.info({ signal }, `process exits: ${signal}`);
      else if (err instanceof StartError) logger.fatal(`process exits: ${err.message}`);
      else logger.fatal({ err }, 'process exits: uncaught error');
      try {
        await close({ hasFailed: err !== undefined });
      } catch (error) {
        logger.fatal({ err: error }, 'closing failed');
        throw error;
      }
      if (err instanceof StartError) process.exit(err.exitCode);
    },
  );
  return (given) => {
    close = given;
  };
}
