import { Kysely, PostgresDialect, PostgresDriver } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import type { Tables } from '../../../../services/store/tables.ts';
import { openSimulatedPool, type SimulatedPoolOptions } from './simulated-pool.ts';

/** Each statement is a transaction: of those that the product puts together, only one changes something. */
class SingleStatements extends PostgresDriver {
  override async beginTransaction(): Promise<void> {}
  override async commitTransaction(): Promise<void> {}
  override async rollbackTransaction(): Promise<void> {}
}

/** The product's tables over the simulated network. Each write waits for the disk. */
export function openSimulatedTables(options: SimulatedPoolOptions): Database {
  const pool = openSimulatedPool({ ...options, isDurable: true });
  // A connection whose answer was lost is not used again.
  pool.options.maxUses = 1;
  const dialect = new PostgresDialect({ pool });
  dialect.createDriver = () => new SingleStatements({ pool });
  return new Kysely<Tables>({ dialect });
}
