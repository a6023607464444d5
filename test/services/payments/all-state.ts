import { isDeepStrictEqual } from 'node:util';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../../services/store/database.ts';
import { onlyRow } from '../../../services/store/rows.ts';
import type { connectChain } from '../../kit/chain.ts';
import { takeRecurring } from '../../kit/recurring-copy.ts';

interface Servers {
  readonly database: Database;
  readonly sandbox: { readonly databaseUrl: string };
  readonly chain: { readonly node: Pick<ReturnType<typeof connectChain>['node'], 'getTransactionCount'> };
}

const ATTEMPTS = 3;

/**
 * Asserts that `work` changes no row of any table, and sends no transaction of an account. Meanwhile, the recurring work of
 * the payments service stands still.
 */
export async function assertUnchanged(
  t: ExecutionContext,
  { database, sandbox, chain }: Servers,
  address: Hex,
  work: () => Promise<void>,
): Promise<void> {
  const session = await takeRecurring(sandbox.databaseUrl, 'payments:eip155:31337');
  try {
    const read = async () => ({
      tables: await readTables(database),
      nonce: await chain.node.getTransactionCount({ address, blockTag: 'pending' }),
    });
    // A job of the service that was cut off may still write once. What `work` changes, it changes each time.
    for (let attempt = 1; ; attempt += 1) {
      const before = await read();
      await work();
      const after = await read();
      if (attempt < ATTEMPTS && !isDeepStrictEqual(after, before)) continue;
      t.deepEqual(after, before);
      return;
    }
  } finally {
    await session.end();
  }
}

async function readTables(database: Database): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql<{ name: string }>`SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    ORDER BY 1`.execute(database);
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ all: string }>`SELECT coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '') AS all
      FROM ${sql.raw(name)} t`.execute(database);
    tables[name] = onlyRow(found.rows).all;
  }
  return tables;
}
