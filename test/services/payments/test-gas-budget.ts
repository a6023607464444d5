import { sql } from 'kysely';
import { createGasBudget, type GasAccount } from '../../../services/payments/signer/gas-budget.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** Gas budgets in a database of their own. */
export async function startGasBudgets() {
  const { database, stop } = await createTestDatabase();
  let networks = 0;

  /** Opens a new budget, or another copy of one. */
  function open({ network, now = Date.now }: Copy = {}) {
    networks += 1;
    return openCopy(network ?? `eip155:${networks}`, now);
  }
  function openCopy(network: string, now: () => number) {
    const budget = createGasBudget({ database, network, now, logger });
    return {
      ...budget,
      network,
      spent: async (account: GasAccount) => (await budget.spentBy([account]))(account),
      /** The limits of what is on its way. */
      async onItsWay(account: GasAccount): Promise<bigint> {
        const { rows } = await sql<{ gas: string }>`SELECT coalesce(sum(on_its_way), 0)::text AS gas
          FROM ledger.spent_gas WHERE network = ${network} AND account = ${account.toLowerCase()}`.execute(database);
        return BigInt(rows[0]?.gas ?? 0);
      },
    };
  }
  return { database, open, stop };
}

interface Copy {
  readonly network?: string;
  readonly now?: () => number;
}
