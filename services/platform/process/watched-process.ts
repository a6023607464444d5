import { createLogger, type Logger } from './logger.ts';
import { watchExit } from './process-exit.ts';
import { releaseMemoryAfterStart } from './release-memory.ts';
import { readLogLevel } from './settings.ts';

export interface WatchedProcess {
  readonly logger: Logger;
  /** Ends the start, and sets what to close before the exit. Until it is called, the process exits at once. */
  readonly closeOnExit: (close: () => Promise<void>) => void;
}

/** Creates the log of a process, which also has the cause of its exit. Call it before the configuration is read. */
export function watchProcess(name: string, environment: NodeJS.ProcessEnv): WatchedProcess {
  const logger = createLogger({ name, level: readLogLevel(environment) });
  const setClose = watchExit(logger);
  return {
    logger,
    closeOnExit: (close) => {
      setClose(close);
      releaseMemoryAfterStart();
    },
  };
}
