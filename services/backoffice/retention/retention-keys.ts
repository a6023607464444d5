import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
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
  return configuredKeys(config) ?? [{ id: LOCAL_KEY, secret: readSecret(keyFileOf(config)) }];
}

/** The keys of the configuration, if any. @throws {ConfigurationError} */
export const configuredKeys = ({ RETENTION_KEYS }: RetentionKeyConfig): NamedKeys | undefined =>
  parseNamedKeys('RETENTION_KEYS', RETENTION_KEYS);

const fingerprintOf = ({ secret }: NamedKey): Buffer =>
  createHmac('sha256', secret).update('tollhouse:retention-key:v1').digest();

/** Records the keys that a back office has. @returns ids that had another key before, whose bodies cannot be read */
export async function recordKeys(database: Database, keys: NamedKeys): Promise<readonly string[]> {
  const { rows } = await sql<{ keyId: string }>`
    WITH given AS (
      SELECT * FROM unnest(${keys.map(({ id }) => id)}::text[], ${keys.map(fingerprintOf)}::bytea[])
        AS key (key_id, fingerprint)
    ), replaced AS (
      SELECT known.key_id FROM retention_key known JOIN given USING (key_id)
      WHERE known.fingerprint <> given.fingerprint
    ), written AS (
      INSERT INTO retention_key (key_id, fingerprint) SELECT key_id, fingerprint FROM given ORDER BY key_id
      ON CONFLICT (key_id) DO UPDATE SET fingerprint = excluded.fingerprint, recorded_at = clock_timestamp()
    )
    SELECT key_id AS "keyId" FROM replaced`.execute(database);
  return rows.map(({ keyId }) => keyId);
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
