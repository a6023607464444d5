import { inspectLedger, type LedgerInspection } from '../../../../services/ledger/inspect-ledger.ts';
import { CommandError, type Terminal } from '../terminal/command.ts';
import { withDatabase } from './operator-database.ts';
import { withRedis } from './operator-redis.ts';

/**
 * Runs `work` on the ledger of each network that PostgreSQL knows. Returns the results.
 * @throws {CommandError} if a server does not answer, or no ledger was ever opened
 */
export async function withLedgers<Result>(
  terminal: Terminal,
  work: (ledger: LedgerInspection, network: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const known = await withDatabase(terminal, (database) =>
    database.selectFrom('ledger_witness').select('network').orderBy('network').execute(),
  );
  if (known.length === 0) throw new CommandError('no ledger was opened yet: start a gateway');
  return withRedis(terminal, (client) =>
    Promise.all(known.map(({ network }) => work(inspectLedger(client, network), network))),
  );
}
