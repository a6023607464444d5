import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import type { Logger } from '../platform/process/logger.ts';

interface Place {
  /** Folder of the migrations. */
  readonly dir: string;
  /** The table with the names of those that were applied. */
  readonly migrationsTable: string;
}

export async function applyMigrations(dbClient: pg.Client, place: Place, logger: Logger): Promise<void> {
  await runner({
    ...place,
    dbClient,
    direction: 'up',
    advisoryLockMode: 'wait',
    logger: {
      info: () => {},
      debug: () => {},
      warn: (message) => logger.warn(message),
      // Has the whole migration as text. The error itself is thrown.
      error: (message) => logger.debug(message),
    },
  });
}
