import { sql } from 'kysely';
import { ConfigurationError } from '../../platform/process/environment.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import type { Context } from '../payment/context.ts';

interface Use {
  readonly keyId: string;
  readonly rows: bigint;
  /** When the last of them can no longer be sent. */
  readonly until: Date;
}

/**
 * An authorization that is past its validity can no longer be sent, so its key is not needed.
 * @throws {ConfigurationError} if others are sealed with a key that is not given
 */
export async function requireAuthorizationKeys(
  { database, network }: Pick<Context, 'database' | 'network'>,
  keys: NamedKeys,
): Promise<void> {
  const { rows: missing } = await sql<Use>`
    SELECT key_id AS "keyId", count(*) AS rows, to_timestamp(max(valid_before_s)) AS until FROM payment_authorization
    WHERE network = ${network} AND to_timestamp(valid_before_s) > ledger.clock()
      AND key_id <> ALL(${keys.map(({ id }) => id)}::text[])
    GROUP BY key_id ORDER BY key_id`.execute(database);
  if (missing.length > 0) throw new ConfigurationError(missing.map(describe));
}

const describe = ({ keyId, rows, until }: Use): string =>
  `AUTHORIZATION_KEYS: the key ${keyId} is missing, and ${rows} authorizations are sealed with it; add it after the first key. If it is lost, start again after ${until.toISOString()}, when the last of them ends`;
