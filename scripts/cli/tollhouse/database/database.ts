import { preparationFor } from '../../../../services/store/preparation-sql.ts';
import { databaseUrlOf } from '../../../launch/settings.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';

const USAGE = 'usage: npm run tollhouse -- database prepare';

/** `database prepare`: prints the SQL that makes the database. */
export async function database([action, ...args]: readonly string[], { environment, say }: Terminal): Promise<void> {
  if (action !== 'prepare') throw new CommandError(USAGE, 2);
  parseOptions(args, {}, USAGE);
  const url = databaseUrlOf(environment);
  if (url === undefined) throw new CommandError('set DATABASE_URL to the database that Tollhouse will use');
  say(preparationFor(url));
}
