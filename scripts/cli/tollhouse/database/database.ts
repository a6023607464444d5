import { preparationFor } from '../../../../services/store/preparation-sql.ts';
import { databaseUrlOf } from '../../../launch/settings.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `database prepare`: prints the SQL that makes the database. */
export const prepareDatabase: Command = async ({ environment, say }) => {
  const url = databaseUrlOf(environment);
  if (url === undefined) throw new CommandError('set DATABASE_URL to the database that Tollhouse will use');
  say(preparationFor(url));
};

/** `database migrate`: applies missing migrations. */
export const migrateDatabase: Command = (terminal) =>
  withDatabase(terminal, async () => terminal.say('the database has the schema of this release'));
