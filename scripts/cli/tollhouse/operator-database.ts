import { createLogger } from '../../../services/platform/process/logger.ts';
import { type Database, migrate, openDatabase } from '../../../services/store/database.ts';
import { runFolderOf } from '../../launch/processes/run-folder.ts';
import { embeddedUrl } from '../../launch/servers/postgres.ts';
import { databaseUrlOf, dataFolderOf } from '../../launch/settings.ts';
import { CommandError, type Terminal } from './command.ts';

/**
 * Connects to the database as its owner, runs `work`, and disconnects. The database is that of DATABASE_URL, or the one
 * that `npm start` runs on the data folder.
 * @throws {CommandError} if the database does not answer
 */
export async function withDatabase<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const url = databaseUrlOf(environment) ?? embeddedUrl(runFolderOf(dataFolderOf(environment)));
  const logger = createLogger({ name: 'tollhouse', level: 'silent' });
  await migrate(url, logger).catch((error: Error) => {
    throw new CommandError(`the database does not answer (${error.message}). Start it with npm start`);
  });
  const database = openDatabase({ url, connections: 1, logger });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
