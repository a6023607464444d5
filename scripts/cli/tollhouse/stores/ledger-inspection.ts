import type pg from 'pg';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import type { Database } from '../../../../services/store/database.ts';
import { CommandError, type Terminal } from '../../terminal/command.ts';
import { databaseUrl, withDatabase } from './operator-database.ts';

/** An audit reads much at once. */
const TIMEOUT_MS = 60_000;

/** The networks with accounts. Each step is a probe of an index, however many accounts there are. */
const NETWORKS = `
  WITH RECURSIVE known (network) AS (
    SELECT least((SELECT min(network) FROM ledger.wallet), (SELECT min(network) FROM ledger.channel))
    UNION ALL
    SELECT least((SELECT min(w.network) FROM ledger.wallet w WHERE w.network > k.network),
      (SELECT min(c.network) FROM ledger.channel c WHERE c.network > k.network))
    FROM known k WHERE k.network IS NOT NULL
  )
  SELECT network FROM known WHERE network IS NOT NULL`;

/**
 * Opens the ledger beside its service, runs `work`, and closes it. Missing migrations are applied first. With `discards`,
 * nothing that `work` writes stays.
 * @throws {CommandError} if the database does not answer
 */
export async function withLedger<Result>(
  terminal: Pick<Terminal, 'environment'>,
  work: (pool: pg.Pool, database: Database) => Promise<Result>,
  { discards = false }: { readonly discards?: boolean | undefined } = {},
): Promise<Result> {
  return withDatabase(terminal, async (database) => {
    const pool = openLedgerPool({
      url: databaseUrl(terminal.environment),
      connections: 2,
      statementTimeoutMs: TIMEOUT_MS,
      onError: () => {},
    });
    // A transaction that nothing commits: it ends with its connection.
    if (discards) pool.options.verify = (client, done) => void client.query('BEGIN').then(() => done(), done);
    try {
      return await work(pool, database);
    } catch (error) {
      if (error instanceof LedgerUnavailableError) throw new CommandError(`the ledger: ${error.message}`);
      throw error;
    } finally {
      await pool.end();
    }
  });
}

/** Runs `work` on the ledger of each network that was ever used. Returns the results. @throws {CommandError} */
export async function withLedgers<Result>(
  terminal: Terminal,
  work: (ledger: { readonly pool: pg.Pool; readonly network: string }) => Promise<Result>,
): Promise<readonly Result[]> {
  return withLedger(terminal, async (pool) => {
    const { rows } = await pool.query<{ network: string }>(NETWORKS);
    const results: Result[] = [];
    for (const { network } of rows) results.push(await work({ pool, network }));
    return results;
  });
}
