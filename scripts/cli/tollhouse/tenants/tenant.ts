import type { Database } from '../../../../services/store/database.ts';
import { type KeyRole, SCOPES } from '../../../../services/store/verification-tables.ts';
import {
  createTenant,
  issueKey,
  type KeyOptions,
  listKeys,
  revokeKey,
} from '../../../../services/verification/tenants/keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { errorCodeOf } from '../../../launch/parse/error-code.ts';
import { withDatabase } from '../stores/operator-database.ts';
import {
  CommandError,
  expectArguments,
  parseArguments,
  readTenantId,
  type Terminal,
  UUID,
} from '../terminal/command.ts';

const KEY_USAGE = 'tenant key TENANT ROLE [--scope SCOPE] [--group NAME]';
const KEY_OPTIONS = { scope: { type: 'string', multiple: true }, group: { type: 'string' } } as const;
const GROUP = /^[A-Za-z0-9_.:-]{1,64}$/;
/** Error codes of PostgreSQL. */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const ROLES: readonly KeyRole[] = ['agent', 'approver', 'reader'];

/** `tenant create|key|list|revoke`. A key is shown once, when it is created. */
export async function tenant([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  switch (action) {
    case 'create':
      return create(args, terminal);
    case 'key':
      return addKey(args, terminal);
    case 'list':
      return list(args, terminal);
    case 'revoke':
      return revoke(args, terminal);
    default:
      throw new CommandError('usage: npm run tollhouse -- tenant create|key|list|revoke', 2);
  }
}

async function create(args: readonly string[], terminal: Terminal): Promise<void> {
  const name = defined(expectArguments(args, 1, 'tenant create NAME')[0]);
  if (name.trim() === '') throw new CommandError('a tenant needs a name', 2);
  await withDatabase(terminal, async (database) => {
    const tenantId = await createTenant(database, name).catch((error: unknown) => {
      throw errorCodeOf(error) === UNIQUE_VIOLATION ? new CommandError(`tenant ${name} exists already`) : error;
    });
    terminal.say(`tenant    ${tenantId}`);
    for (const role of ROLES) await showNewKey(database, { tenantId, role }, terminal);
  });
  terminal.say('The keys are not shown again: keep them now.');
}

async function addKey(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, ...options } = readKeyArguments(args);
  const expected = expectArguments(positionals, 2, KEY_USAGE);
  const tenantId = readTenantId(defined(expected[0]));
  const role = ROLES.find((each) => each === expected[1]);
  if (role === undefined) throw new CommandError(`a role is one of ${ROLES.join(', ')}`, 2);
  const issue = (database: Database) => showNewKey(database, { tenantId, role, ...options }, terminal);
  await withDatabase(terminal, issue).catch((error: unknown) => {
    throw errorCodeOf(error) === FOREIGN_KEY_VIOLATION ? new CommandError(`there is no tenant ${tenantId}`) : error;
  });
}

function readKeyArguments(args: readonly string[]): KeyOptions & { readonly positionals: readonly string[] } {
  const { positionals, values } = parseArguments(args, KEY_OPTIONS, `usage: npm run tollhouse -- ${KEY_USAGE}`);
  const scopes = (values.scope ?? []).map((scope) => {
    const known = SCOPES.find((each) => each === scope);
    if (known === undefined) throw new CommandError(`a scope is one of ${SCOPES.join(', ')}`, 2);
    return known;
  });
  const { group } = values;
  if (group === undefined) return { positionals, scopes: [...new Set(scopes)] };
  if (!GROUP.test(group)) throw new CommandError('a group has 1 to 64 characters: letters, digits and _.:-', 2);
  return { positionals, scopes: [...new Set(scopes)], group };
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

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  expectArguments(args, 0, 'tenant list');
  for (const { tenantId, name, keys } of await withDatabase(terminal, listKeys)) {
    terminal.say(`${tenantId}  ${name}`);
    for (const { keyId, role, scopes, group, revokedAt } of keys) {
      const groups = group === keyId ? [] : [`group ${group}`];
      const more = [...scopes, ...groups, ...(revokedAt === undefined ? [] : [`revoked ${revokedAt}`])];
      terminal.say(`  ${keyId}  ${role.padEnd(9)} ${more.join(' ')}`.trimEnd());
    }
  }
}

async function revoke(args: readonly string[], terminal: Terminal): Promise<void> {
  const keyId = defined(expectArguments(args, 1, 'tenant revoke KEY_ID')[0]);
  const isRevoked = UUID.test(keyId) && (await withDatabase(terminal, (database) => revokeKey(database, keyId)));
  if (!isRevoked) throw new CommandError(`there is no active key ${keyId}`);
  terminal.say(`key ${keyId} is revoked`);
}
