import type { LedgerStores } from '../../../../services/ledger/restore/ledger-stores.ts';
import type { Database } from '../../../../services/store/database.ts';
import { CommandError, type Terminal } from '../terminal/command.ts';
import { withDatabase } from './operator-database.ts';
import { withRedis } from './operator-redis.ts';

/** An audit and a restore read much at once. */
const TIMEOUT_MS = 60_000;

/**
 * Connects to the ledger's Redis and to the database, runs `work`, and disconnects.
 * @param network CAIP-2; undefined for the only ledger that the database knows
 * @throws {CommandError} if a server does not answer
 */
export async function withLedger<Result>(
  terminal: Pick<Terminal, 'environment'>,
  network: string | undefined,
  work: (stores: LedgerStores) => Promise<Result>,
): Promise<Result> {
  const isDurabilityVouched = terminal.environment['LEDGER_DURABILITY_VOUCHED'] === 'true';
  return withDatabase(terminal, async (database) => {
    const chosen = network ?? (await findNetwork(database));
    return withRedis(terminal, (client) =>
      work({ database, client, network: chosen, isDurabilityVouched, timeoutMs: TIMEOUT_MS }),
    );
  });
}

async function findNetwork(database: Database): Promise<string> {
  const rows = await database.selectFrom('ledger_witness').select('network').orderBy('network').execute();
  const [first, ...others] = rows.map(({ network }) => network);
  if (first === undefined) throw new CommandError('no ledger was recorded yet: start the product first');
  if (others.length > 0) throw new CommandError(`choose a ledger with --network: ${[first, ...others].join(', ')}`, 2);
  return first;
}
