import { createLogger } from '../../../../services/platform/process/logger.ts';
import { type Database, migrate, openDatabase, SchemaTooNewError } from '../../../../services/store/database.ts';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { embeddedUrl } from '../../../launch/servers/postgres.ts';
import { databaseUrlOf, dataFolderOf } from '../../../launch/settings.ts';
import { CommandError, type Terminal } from '../terminal/command.ts';

/**
 * Connects to the database as its owner, runs `work`, and disconnects. The database is that of DATABASE_URL, or the one
 * that `npm start` runs on the data folder. Missing migrations are applied first, unless `migrates` is false.
 * @throws {CommandError} if the database does not answer
 */
export async function withDatabase<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (database: Database) => Promise<Result>,
  { migrates }: { readonly migrates: boolean } = { migrates: true },
): Promise<Result> {
  const url = databaseUrlOf(environment) ?? embeddedUrl(runFolderOf(dataFolderOf(environment)));
  const logger = createLogger({ name: 'tollhouse', level: 'silent' });
  const migrated = migrates ? migrate(url, logger) : Promise.resolve();
  await migrated.catch((error: Error) => {
    if (error instanceof SchemaTooNewError) throw new CommandError(error.message);
    throw new CommandError(`the database does not answer (${error.message}). Start it with npm start`);
  });
  const database = openDatabase({ url, connections: 1, logger });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
