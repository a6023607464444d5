import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../../services/store/database.ts';
import { onlyRow } from '../../../services/store/rows.ts';
import type { connectChain } from '../../kit/chain.ts';
import { takeRecurring } from '../../kit/recurring-copy.ts';
import { until } from '../../kit/until.ts';

interface Servers {
  readonly database: Database;
  readonly sandbox: { readonly databaseUrl: string };
  readonly chain: { readonly node: Pick<ReturnType<typeof connectChain>['node'], 'getTransactionCount'> };
}

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
    await untilIdle(database);
    const read = async () => ({
      tables: await readTables(database),
      nonce: await chain.node.getTransactionCount({ address, blockTag: 'pending' }),
    });
    const before = await read();
    await work();
    t.deepEqual(await read(), before);
  } finally {
    await session.end();
  }
}

/** Waits until the service has asked for the lock again, which it does when the jobs that lost it have ended. */
async function untilIdle(database: Database): Promise<void> {
  const { rows } = await sql<{ now: string }>`SELECT clock_timestamp()::text AS now`.execute(database);
  const { now } = onlyRow(rows);
  await until(async () => {
    const asked = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'SELECT pg_try_advisory_lock%' AND query_start > ${now}::timestamptz`.execute(database);
    return asked.rows.length > 0;
  });
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
