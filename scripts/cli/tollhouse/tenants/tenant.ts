import type { Database } from '../../../../services/store/database.ts';
import { type KeyRole, SCOPES } from '../../../../services/store/key-roles.ts';
import {
  createTenant,
  issueKey,
  type KeyOptions,
  listKeys,
  revokeKey,
} from '../../../../services/verification/tenants/keys.ts';
import { errorCodeOf } from '../../../launch/parse/error-code.ts';
import { type Command, CommandError, type Options, readTenantId, type Terminal, UUID } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { withDatabase } from '../stores/operator-database.ts';

const GROUP = /^[A-Za-z0-9_.:-]{1,64}$/;
/** Error codes of PostgreSQL. */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const ROLES: readonly KeyRole[] = ['agent', 'approver', 'reader'];

/** `tenant create`. A key is shown once, when it is created. */
export const createWithKeys: Command = async (terminal, _, name) => {
  if (name.trim() === '') throw new CommandError('a tenant needs a name', 2);
  await withDatabase(terminal, async (database) => {
    const tenantId = await createTenant(database, name).catch((error: unknown) => {
      throw errorCodeOf(error) === UNIQUE_VIOLATION ? new CommandError(`tenant ${name} exists already`) : error;
    });
    terminal.say(`tenant    ${tenantId}`);
    for (const role of ROLES) await showNewKey(database, { tenantId, role }, terminal);
  });
  terminal.say('The keys are not shown again: keep them now.');
};

/** `tenant key`. */
export const addKey: Command = async (terminal, given, tenant, wanted) => {
  const options = readKeyOptions(given);
  const tenantId = readTenantId(tenant);
  const role = ROLES.find((each) => each === wanted);
  if (role === undefined) throw new CommandError(`a role is one of ${ROLES.join(', ')}`, 2);
  const issue = (database: Database) => showNewKey(database, { tenantId, role, ...options }, terminal);
  await withDatabase(terminal, issue).catch((error: unknown) => {
    throw errorCodeOf(error) === FOREIGN_KEY_VIOLATION ? new CommandError(`there is no tenant ${tenantId}`) : error;
  });
};

function readKeyOptions({ scope: names = [], group }: Options): KeyOptions {
  const scopes = names.map((scope) => {
    const known = SCOPES.find((each) => each === scope);
    if (known === undefined) throw new CommandError(`a scope is one of ${SCOPES.join(', ')}`, 2);
    return known;
  });
  if (group === undefined) return { scopes: [...new Set(scopes)] };
  if (!GROUP.test(group)) throw new CommandError('a group has 1 to 64 characters: letters, digits and _.:-', 2);
  return { scopes: [...new Set(scopes)], group };
}

interface NewKey extends KeyOptions {
  readonly tenantId: string;
  readonly role: KeyRole;
}

async function showNewKey(
  database: Database,
  { tenantId, role, ...options }: NewKey,
  { say }: Terminal,
): Promise<void> {
  const { keyId, key } = await issueKey(database, tenantId, role, options);
  say(`${role.padEnd(9)} ${key}  (key ${keyId})`);
}

/** `tenant list`. */
export const listTenants: Command = async (terminal, { json }) => {
  const found = await withDatabase(terminal, listKeys);
  if (json) return terminal.say(toJson(found));
  for (const { tenantId, name, keys } of found) {
    terminal.say(`${tenantId}  ${name}`);
    for (const { keyId, role, scopes, group, revokedAt } of keys) {
      const groups = group === keyId ? [] : [`group ${group}`];
      const more = [...scopes, ...groups, ...(revokedAt === undefined ? [] : [`revoked ${revokedAt}`])];
      terminal.say(`  ${keyId}  ${role.padEnd(9)} ${more.join(' ')}`.trimEnd());
    }
  }
};

/** `tenant revoke`. */
export const revoke: Command = async (terminal, _, keyId) => {
  const isRevoked = UUID.test(keyId) && (await withDatabase(terminal, (database) => revokeKey(database, keyId)));
  if (!isRevoked) throw new CommandError(`there is no active key ${keyId}`);
  terminal.say(`key ${keyId} is revoked`);
};
