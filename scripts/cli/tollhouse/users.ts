import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Database } from '../../../services/store/database.ts';
import { type NamedUser, readUsers, replaceUsers } from '../../../services/verification/users/embedded-users.ts';
import { CommandError, expectArguments, type Terminal, UUID } from './command.ts';
import { withDatabase } from './operator-database.ts';
import { formatUsersFile, MAX_FILE_BYTES, parseUsersFile } from './users-file.ts';

/** `users import|list|clear`: the users that a tenant keeps here, and not in a CRM beyond the network. */
export async function users([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  switch (action) {
    case 'import': {
      const [tenantId = '', file = ''] = expectArguments(args, 2, 'users import TENANT FILE');
      return importUsers({ tenantId, file }, terminal);
    }
    case 'list': {
      const [tenantId = ''] = expectArguments(args, 1, 'users list TENANT');
      const found = await withDatabase(terminal, (database) => readUsers(database, known(tenantId)));
      for (const line of formatUsersFile(found).split('\n').slice(0, -1)) terminal.say(line);
      return;
    }
    case 'clear': {
      const [tenantId = ''] = expectArguments(args, 1, 'users clear TENANT');
      const before = await withDatabase(terminal, (database) => replace(database, known(tenantId), []));
      terminal.say(`${before} users were taken out`);
      return;
    }
    default:
      throw new CommandError('usage: npm run tollhouse -- users import|list|clear', 2);
  }
}

/** An export that went wrong leaves an empty file more often than a tenant loses everybody. */
async function importUsers(
  { tenantId, file }: { readonly tenantId: string; readonly file: string },
  terminal: Terminal,
): Promise<void> {
  const imported = parseUsersFile(readBounded(file));
  if (imported.length === 0) throw new CommandError('the file holds no user: users clear TENANT takes all out');
  const before = await withDatabase(terminal, (database) => replace(database, known(tenantId), imported));
  terminal.say(`${imported.length} users, in the place of ${before}`);
}

async function replace(database: Database, tenantId: string, imported: readonly NamedUser[]): Promise<number> {
  const before = await replaceUsers(database, tenantId, imported);
  if (before === undefined) throw new CommandError(`there is no tenant ${tenantId}`);
  return before;
}

function known(tenantId: string): string {
  if (!UUID.test(tenantId)) throw new CommandError('a tenant is named by its id: see tenant list', 2);
  return tenantId;
}

function readBounded(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size > MAX_FILE_BYTES) throw new CommandError(`${path}: larger than ${MAX_FILE_BYTES} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
