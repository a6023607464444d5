import { COMMAND_LINES } from '../../../../services/platform/process/installation.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { assertReachable, type Database, migrate, openDatabase } from '../../../../services/store/database.ts';
import { findRunFolder } from '../../../launch/processes/run-folder.ts';
import { embeddedUrl } from '../../../launch/servers/postgres.ts';
import { databaseUrlOf, dataFolderOf } from '../../../launch/settings.ts';
import { CommandError, type Terminal } from '../../terminal/command.ts';

/** The database of DATABASE_URL, or the one that `npm start` runs on the data folder. */
export const databaseUrl = (environment: Terminal['environment']): string =>
  databaseUrlOf(environment) ?? embeddedUrl(findRunFolder(dataFolderOf(environment)));

/**
 * Connects to the database as its owner, runs `work`, and disconnects. Missing migrations are applied first, unless
 * `migrates` is false.
 * @throws {CommandError} if the server of `npm start` does not answer
 * @throws {StartError} if the database of DATABASE_URL does not answer, or is not prepared
 */
export async function withDatabase<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (database: Database) => Promise<Result>,
  { migrates }: { readonly migrates: boolean } = { migrates: true },
): Promise<Result> {
  const given = databaseUrlOf(environment);
  const url = databaseUrl(environment);
  const logger = createLogger({ name: 'tollhouse', level: 'silent' });
  await (migrates ? migrate(url, logger) : assertReachable(url, logger)).catch((error: Error) => {
    if (given === undefined)
      throw new CommandError(`the database does not answer. Start it with ${COMMAND_LINES.start}`);
    throw error;
  });
  const database = openDatabase({ url, connections: 1, logger });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
