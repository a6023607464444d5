import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { ConfigurationError } from '../../platform/process/environment.ts';
import { COMMAND_LINES } from '../../platform/process/installation.ts';
import {
  LOCAL_KEY,
  type NamedKey,
  type NamedKeys,
  type NamedKeysOptions,
  parseNamedKeys,
} from '../../platform/process/named-keys.ts';
import { readSecret } from '../../platform/process/secret-file.ts';
import { DataFolder } from '../../platform/process/settings.ts';
import type { Database } from '../../store/database.ts';
import { type ActBy, recordAct } from '../../store/operator-acts.ts';
import { describeRows, type KeyUse, readKeyUses } from './key-uses.ts';

/** Variables that say where the keys are, for the back office and the command line. */
export const RetentionKeyConfig = Type.Object({
  TOLLHOUSE_DATA: DataFolder,
  RETENTION_KEYS: Type.Optional(
    Type.String({
      description: 'keys, each an id, a colon and base64 of 32 bytes, comma-separated; the first encrypts, all decrypt',
    }),
  ),
});

type RetentionKeyConfig = Static<typeof RetentionKeyConfig>;

const keyFileOf = ({ TOLLHOUSE_DATA }: RetentionKeyConfig): string => `${TOLLHOUSE_DATA}/keys/retention`;

/** The keys of the configuration, or where the key of the data folder is. */
export const retentionKeysOf = (config: RetentionKeyConfig & { readonly CREATE_KEYS: boolean }): NamedKeysOptions => ({
  name: 'RETENTION_KEYS',
  text: config.RETENTION_KEYS,
  path: keyFileOf(config),
  mayCreate: config.CREATE_KEYS,
});

/** The same keys, but never creates one. @throws {ConfigurationError}, and ENOENT if the data folder has no key */
export function readExistingRetentionKeys(config: RetentionKeyConfig): NamedKeys {
  const configured = parseNamedKeys('RETENTION_KEYS', config.RETENTION_KEYS);
  return configured ?? [{ id: LOCAL_KEY, secret: readSecret(keyFileOf(config)) }];
}

const fingerprintOf = ({ secret }: NamedKey): Buffer =>
  createHmac('sha256', secret).update('tollhouse:retention-key:v1').digest();

/**
 * Records the keys with which a back office starts.
 * @throws {ConfigurationError} if rows are sealed with an earlier key that it does not have
 */
export async function takeKeys(database: Database, keys: NamedKeys): Promise<void> {
  const given = sql`unnest(${keys.map(({ id }) => id)}::text[], ${keys.map(fingerprintOf)}::bytea[])
    AS given (key_id, fingerprint)`;
  const { rows: earlier } = await sql<{ keyId: string }>`
    SELECT key_id AS "keyId" FROM retention_key
    WHERE (key_id, fingerprint) NOT IN (SELECT key_id, fingerprint FROM ${given})`.execute(database);
  if (earlier.length > 0) {
    const ids = new Set(earlier.map(({ keyId }) => keyId));
    const uses = await readKeyUses(database);
    const missing = uses.filter(({ variable, keyId }) => variable === 'RETENTION_KEYS' && ids.has(keyId));
    if (missing.length > 0) throw new ConfigurationError(missing.map(describeMissing));
  }
  await sql`
    INSERT INTO retention_key (key_id, fingerprint) SELECT key_id, fingerprint FROM ${given} ORDER BY key_id
    ON CONFLICT (key_id) DO UPDATE SET fingerprint = excluded.fingerprint, recorded_at = clock_timestamp()`.execute(
    database,
  );
}

function describeMissing(use: KeyUse): string {
  const command = `${COMMAND_LINES.tollhouse} retention forget-key --key ${use.keyId} --reason TEXT`;
  return `RETENTION_KEYS: the key ${use.keyId} is missing or another one, and ${describeRows(use)} are sealed with it; add it after the first key. If it is lost: ${command}`;
}

/** Lets a back office start without a key. What is sealed with it stays unreadable. @returns whether the key was known */
export function forgetKey(database: Database, keyId: string, by: ActBy): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('retention_key')
      .where('key_id', '=', keyId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await recordAct(transaction, { ...by, action: 'retention.forget-key', subject: keyId, detail: {} });
    return true;
  });
}

/** Whether a back office has started with this key, under this id. */
export async function isRecordedKey(database: Database, key: NamedKey): Promise<boolean> {
  const known = await database
    .selectFrom('retention_key')
    .select('fingerprint')
    .where('key_id', '=', key.id)
    .executeTakeFirst();
  return known?.fingerprint.equals(fingerprintOf(key)) === true;
}
