import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Database } from '../../../../services/store/database.ts';
import { type NamedUser, readUsers, replaceUsers } from '../../../../services/verification/users/embedded-users.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, readTenantId, type Terminal } from '../terminal/command.ts';
import { formatUsersFile, MAX_FILE_BYTES, parseUsersFile } from './users-file.ts';

/** `users import|list|clear`: the users of a tenant whose directory is this database, not an external CRM. */
export async function users([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  switch (action) {
    case 'import': {
      const given = expectArguments(args, 2, 'users import TENANT FILE');
      return importUsers({ tenantId: readTenantId(defined(given[0])), file: defined(given[1]) }, terminal);
    }
    case 'list': {
      const tenantId = readTenantId(defined(expectArguments(args, 1, 'users list TENANT')[0]));
      const found = await withDatabase(terminal, (database) => readUsers(database, tenantId));
      for (const line of formatUsersFile(found).split('\n').slice(0, -1)) terminal.say(line);
      return;
    }
    case 'clear': {
      const tenantId = readTenantId(defined(expectArguments(args, 1, 'users clear TENANT')[0]));
      const before = await withDatabase(terminal, (database) => replace(database, tenantId, []));
      terminal.say(`${before} users removed`);
      return;
    }
    default:
      throw new CommandError('usage: npm run tollhouse -- users import|list|clear', 2);
  }
}

/** Refuses an empty file, which is more likely to be a failed export than a tenant without users. */
async function importUsers(
  { tenantId, file }: { readonly tenantId: string; readonly file: string },
  terminal: Terminal,
): Promise<void> {
  const imported = parseUsersFile(readBounded(file));
  if (imported.length === 0)
    throw new CommandError('the file has no users; to remove all users, run users clear TENANT');
  const before = await withDatabase(terminal, (database) => replace(database, tenantId, imported));
  terminal.say(`${imported.length} users imported; they replace ${before}`);
}

async function replace(database: Database, tenantId: string, imported: readonly NamedUser[]): Promise<number> {
  const before = await replaceUsers(database, tenantId, imported);
  if (before === undefined) throw new CommandError(`there is no tenant ${tenantId}`);
  return before;
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
