import { resolve } from 'node:path';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { type Database, migrate, openDatabase } from '../../../services/store/database.ts';
import { runFolderOf } from '../../launch/processes/run-folder.ts';
import { embeddedUrl } from '../../launch/servers/postgres.ts';
import { CommandError, type Terminal } from './command.ts';

/** Works on the database as its owner: that of DATABASE_URL, or the one that `npm start` runs on the data folder. */
export async function withDatabase<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const dataDir = resolve(environment['TOLLHOUSE_DATA'] || '.tollhouse');
  const url = environment['DATABASE_URL'] || embeddedUrl(runFolderOf(dataDir));
  const logger = createLogger({ name: 'tollhouse', level: 'silent' });
  await migrate(url, logger).catch((error: Error) => {
    throw new CommandError(`the database does not answer (${error.message}): is it started? (npm start)`);
  });
  const database = openDatabase({ url, connections: 1, logger });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
