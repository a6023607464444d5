import type { TObject } from 'typebox';
import { releaseMemory } from '../../../workers/thread/release-memory.ts';
import { createLogger, type Logger } from './logger.ts';
import { type Close, watchExit } from './process-exit.ts';
import { readSecretFiles } from './secret-files.ts';
import { readLogLevel } from './settings.ts';

/** The processes of `npm start` are ready before that, so the collections do not slow down the start. */
const RELEASE_MEMORY_AFTER_MS = 5_000;

export interface WatchedProcess {
  readonly logger: Logger;
  /** Ends the start, and sets what to close before the exit. Until it is called, the process exits at once. */
  readonly closeOnExit: (close: Close) => void;
}

/**
 * Creates the log of a process, which also has the cause of its exit, and reads the files of its secrets into the environment.
 * Call it before the configuration is read.
 * @param schema of the configuration
 */
export function watchProcess(name: string, environment: NodeJS.ProcessEnv, schema: TObject): WatchedProcess {
  const logger = createLogger({ name, level: readLogLevel(environment) });
  const setClose = watchExit(logger);
  readSecretFiles(environment, Object.keys(schema.properties));
  return {
    logger,
    closeOnExit: (close) => {
      setClose(close);
      setTimeout(releaseMemory, RELEASE_MEMORY_AFTER_MS).unref();
    },
  };
}
