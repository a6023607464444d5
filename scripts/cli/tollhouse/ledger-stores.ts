import { LedgerConfig } from '../../../services/ledger/contract/config.ts';
import type { LedgerStores } from '../../../services/ledger/restore/ledger-stores.ts';
import { ConfigurationError, readEnvironment } from '../../../services/platform/process/environment.ts';
import { createRedisClient } from '../../../services/platform/redis/redis-client.ts';
import type { Database } from '../../../services/store/database.ts';
import { runFolderOf } from '../../launch/processes/run-folder.ts';
import { embeddedRedisUrl } from '../../launch/servers/redis.ts';
import { dataFolderOf } from '../../launch/settings.ts';
import { CommandError, type Terminal } from './command.ts';
import { withDatabase } from './operator-database.ts';

/** An audit and a restore read much at once. */
const TIMEOUT_MS = 60_000;

/**
 * Connects to the ledger's Redis and to the database, runs `work`, and disconnects. Redis is that of LEDGER_REDIS_URL or
 * REDIS_URL, or the one that `npm start` runs on the data folder.
 * @param network CAIP-2; undefined for the only ledger that the database knows
 * @throws {CommandError} if a server does not answer
 */
export async function withLedger<Result>(
  terminal: Pick<Terminal, 'environment'>,
  network: string | undefined,
  work: (stores: LedgerStores) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(terminal.environment);
  return withDatabase(terminal, async (database) => {
    const chosen = network ?? (await findNetwork(database));
    const client = createRedisClient({ url: config.LEDGER_REDIS_URL ?? config.REDIS_URL });
    try {
      await client.connect().catch((error: Error) => {
        throw new CommandError(`the Redis of the ledger does not answer (${error.message})`);
      });
      const isDurabilityVouched = config.LEDGER_DURABILITY_VOUCHED;
      return await work({ database, client, network: chosen, isDurabilityVouched, timeoutMs: TIMEOUT_MS });
    } finally {
      client.destroy();
    }
  });
}

function readConfig(environment: NodeJS.ProcessEnv) {
  const local = embeddedRedisUrl(runFolderOf(dataFolderOf(environment)));
  try {
    return readEnvironment(LedgerConfig, { ...environment, REDIS_URL: environment['REDIS_URL'] || local });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CommandError(error.message, 2);
    throw error;
  }
}

async function findNetwork(database: Database): Promise<string> {
  const rows = await database.selectFrom('ledger_witness').select('network').orderBy('network').execute();
  const [first, ...others] = rows.map(({ network }) => network);
  if (first === undefined) throw new CommandError('no ledger was recorded yet: start the product first');
  if (others.length > 0) throw new CommandError(`choose a ledger with --network: ${[first, ...others].join(', ')}`, 2);
  return first;
}
