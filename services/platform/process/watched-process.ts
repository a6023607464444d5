import { createLogger, type Logger } from './logger.ts';
import { watchExit } from './process-exit.ts';
import { readLogLevel } from './settings.ts';

export interface WatchedProcess {
  readonly logger: Logger;
  /** Names what to close before the exit; until then the process exits at once. */
  readonly closeOnExit: (close: () => Promise<void>) => void;
}

/** The log of a process, which also says why it exits. Call it before the configuration is read: that may be the cause. */
export function watchProcess(name: string, environment: NodeJS.ProcessEnv): WatchedProcess {
  const logger = createLogger({ name, level: readLogLevel(environment) });
  return { logger, closeOnExit: watchExit(logger) };
}
