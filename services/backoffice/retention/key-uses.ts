import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { listDayPartitions } from './partitions.ts';

/** What is sealed with a key. */
export interface KeyUse {
  readonly variable: 'RETENTION_KEYS' | 'AUTHORIZATION_KEYS';
  readonly keyId: string;
  /** The number of rows of each kind, such as `held bodies`. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Rows of one kind that are sealed with one key. */
export interface RowCount extends Pick<KeyUse, 'variable' | 'keyId'> {
  readonly kind: string;
  readonly rows: number;
}

/** The voucher of an open call becomes the latest one of its channel. */
const OTHERS = sql`
  SELECT 'RETENTION_KEYS' AS variable, 'held bodies' AS kind, key_id FROM retained_body_held
  UNION ALL SELECT 'RETENTION_KEYS', 'latest vouchers', key_id FROM ledger.channel
  UNION ALL SELECT 'RETENTION_KEYS', 'claimable vouchers', claimable_key_id FROM ledger.channel
  UNION ALL SELECT 'RETENTION_KEYS', 'vouchers of open calls', key_id FROM ledger.reservation
  UNION ALL SELECT 'AUTHORIZATION_KEYS', 'authorizations', key_id FROM payment_authorization`;

/** The bodies of a day by key. */
export async function countBodies(database: Database, day: string): Promise<readonly RowCount[]> {
  const { rows } = await sql<RowCount>`
    SELECT 'RETENTION_KEYS' AS variable, 'bodies' AS kind, key_id AS "keyId", count(*)::float8 AS rows
    FROM retained_body WHERE day = ${day}::date GROUP BY key_id`.execute(database);
  return rows;
}

/** What each key has sealed, in the order of variables and ids. @param counted the bodies of all days, if they are counted */
export async function readKeyUses(database: Database, counted?: readonly RowCount[]): Promise<readonly KeyUse[]> {
  const bodies = [...(counted ?? [])];
  // One query for each day: a query over all days could take longer than a statement may.
  const days = counted === undefined ? await listDayPartitions(database) : [];
  for (const { day } of days) bodies.push(...(await countBodies(database, day)));
  const { rows: others } = await sql<RowCount>`
    SELECT variable, kind, key_id AS "keyId", count(*)::float8 AS rows FROM (${OTHERS}) AS sealed
    WHERE key_id IS NOT NULL GROUP BY variable, kind, key_id ORDER BY kind`.execute(database);
  const uses = new Map<string, KeyUse>();
  for (const { variable, keyId, kind, rows } of [...bodies, ...others]) {
    const name = `${variable} ${keyId}`;
    const known = uses.get(name)?.rows ?? {};
    uses.set(name, { variable, keyId, rows: { ...known, [kind]: rows + (known[kind] ?? 0) } });
  }
  return [...uses].toSorted(([a], [b]) => a.localeCompare(b)).map(([, use]) => use);
}

/** Such as `84 bodies, 3 latest vouchers`. */
export const describeRows = ({ rows }: Pick<KeyUse, 'rows'>): string =>
  Object.entries(rows)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
