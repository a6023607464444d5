import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../../services/store/database.ts';
import { onlyRow } from '../../../services/store/rows.ts';
import type { connectChain } from '../../kit/chain.ts';

/** All rows of all tables, and how many transactions of an account the node has. What recurs by itself is not among them. */
export async function readAll(
  { database, node }: { readonly database: Database; readonly node: ReturnType<typeof connectChain>['node'] },
  address: Hex,
) {
  const { rows } = await sql<{ name: string }>`SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      AND relname <> 'recurring_job' ORDER BY 1`.execute(database);
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ all: string }>`SELECT coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '') AS all
      FROM ${sql.raw(name)} t`.execute(database);
    tables[name] = onlyRow(found.rows).all;
  }
  return { tables, nonce: await node.getTransactionCount({ address, blockTag: 'pending' }) };
}
