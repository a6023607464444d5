import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Database } from '../../../../services/store/database.ts';
import { type NamedUser, readUsers, replaceUsers } from '../../../../services/verification/users/embedded-users.ts';
import { type Command, CommandError, readTenantId } from '../../terminal/command.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { formatUsersFile, MAX_FILE_BYTES, parseUsersFile } from './users-file.ts';

/** `users list`: the users of a tenant whose directory is this database, not an external CRM. */
export const listUsers: Command = async (terminal, _, tenant) => {
  const tenantId = readTenantId(tenant);
  const found = await withDatabase(terminal, (database) => readUsers(database, tenantId));
  for (const line of formatUsersFile(found).split('\n').slice(0, -1)) terminal.say(line);
};

/** `users clear`. */
export const clearUsers: Command = async (terminal, _, tenant) => {
  const tenantId = readTenantId(tenant);
  const before = await withDatabase(terminal, (database) => replace(database, tenantId, []));
  terminal.say(`${before} users removed`);
};

/** `users import`. Refuses an empty file, which is more likely to be a failed export than a tenant without users. */
export const importUsers: Command = async (terminal, _, tenant, file) => {
  const tenantId = readTenantId(tenant);
  const imported = parseUsersFile(readBounded(file));
  if (imported.length === 0)
    throw new CommandError('the file has no users; to remove all users, run users clear TENANT');
  const before = await withDatabase(terminal, (database) => replace(database, tenantId, imported));
  terminal.say(`${imported.length} users imported; they replace ${before}`);
};

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
