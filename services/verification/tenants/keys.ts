import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../store/database.ts';
import type { KeyRole, KeyScope } from '../../store/key-roles.ts';

/** The caller, as identified by its key. Nothing else that a caller sends about itself is trusted. */
export interface Caller {
  readonly keyId: string;
  readonly tenantId: string;
  readonly role: KeyRole;
  readonly scopes: readonly KeyScope[];
  /** Keys of one group share the records that they create. For a key without a group, its own id. */
  readonly group: string;
}

export interface IssuedKey {
  readonly keyId: string;
  /** Shown only now. */
  readonly key: string;
}

const PREFIX = 'thk_';
const KEY_BYTES = 32;
/** Form of a key: 32 bytes in base64url. Scanners for leaked secrets recognize the prefix. */
const KEY = /^thk_[A-Za-z0-9_-]{43}$/;

/** The tenant of the status probe, which a migration creates. It has no keys and no records. */
export const PROBE_TENANT = '00000000-0000-4000-8000-000000000001';

/** Creates a tenant, on a connection of the owner. */
export async function createTenant(database: Database, name: string): Promise<string> {
  const tenantId = uuidv7();
  await database.insertInto('verification.tenant').values({ tenant_id: tenantId, name }).execute();
  return tenantId;
}

export interface KeyOptions {
  readonly scopes?: readonly KeyScope[];
  /** A name, or the id of an earlier key: the new key then shares the records of that key. */
  readonly group?: string;
}

export async function issueKey(
  database: Database,
  tenantId: string,
  role: KeyRole,
  { scopes = [], group }: KeyOptions = {},
): Promise<IssuedKey> {
  const keyId = uuidv7();
  const key = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  await database
    .insertInto('verification.api_key')
    .values({
      key_id: keyId,
      tenant_id: tenantId,
      role,
      scopes: [...scopes],
      key_group: group ?? keyId,
      key_hash: hashKey(key),
      revoked_at: null,
    })
    .execute();
  return { keyId, key };
}

/** @returns false if there is no such key, or it was revoked before */
export async function revokeKey(database: Database, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('verification.api_key')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface ListedTenant {
  readonly tenantId: string;
  readonly name: string;
  /** `revokedAt`: RFC 3339. */
  readonly keys: readonly (Omit<Caller, 'tenantId'> & { readonly revokedAt: string | undefined })[];
}

/** All tenants with their keys, oldest first, without the tenant of the status probe. */
export async function listKeys(database: Database): Promise<readonly ListedTenant[]> {
  const tenants = await database
    .selectFrom('verification.tenant')
    .selectAll()
    .where('tenant_id', '!=', PROBE_TENANT)
    .orderBy('tenant_id')
    .execute();
  const keys = await database
    .selectFrom('verification.api_key')
    .select(['key_id', 'tenant_id', 'role', 'scopes', 'key_group', 'revoked_at'])
    .orderBy('key_id')
    .execute();
  return tenants.map(({ tenant_id, name }) => ({
    tenantId: tenant_id,
    name,
    keys: keys
      .filter((key) => key.tenant_id === tenant_id)
      .map(({ key_id, role, scopes, key_group, revoked_at }) => ({
        keyId: key_id,
        role,
        scopes,
        group: key_group,
        revokedAt: revoked_at?.toISOString(),
      })),
  }));
}

/** Finds the caller of a key, on a connection of the service; undefined for a key that is unknown or revoked. */
export async function authenticate(database: Database, key: string): Promise<Caller | undefined> {
  if (!KEY.test(key)) return undefined;
  const { rows } = await sql<{
    key_id: string;
    tenant_id: string;
    role: KeyRole;
    scopes: KeyScope[];
    key_group: string;
  }>`SELECT key_id, tenant_id, role, scopes, key_group FROM verification.authenticate(${hashKey(key)})`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { key_id: keyId, tenant_id: tenantId, role, scopes, key_group: group } = row;
  return { keyId, tenantId, role, scopes, group };
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
