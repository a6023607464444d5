import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';

/**
 * Which transaction replaced which, for all copies of the service. The claims of a batch share a transaction. When one of
 * them has it replaced, the others find the replacement here.
 */
export interface Replacements {
  /** Notes a replacement durably, before it is sent. @throws when the database does not answer */
  note(replaced: Hex, replacement: Hex): Promise<void>;
  /**
   * A transaction, those that it replaced and all replacements, the latest at the end. A node may have refused some.
   * @throws when the database does not answer
   */
  versionsOf(transaction: Hex): Promise<readonly Hex[]>;
}

export interface ReplacementsOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
}

export function createReplacements({ database, network }: ReplacementsOptions): Replacements {
  return {
    async note(replaced, replacement) {
      await sql`
        WITH old AS (DELETE FROM ledger.replacement WHERE noted_at < ledger.clock() - interval '1 day')
        INSERT INTO ledger.replacement (network, replaced, replacement)
        VALUES (${network}, ${replaced.toLowerCase()}, ${replacement.toLowerCase()})
        ON CONFLICT ON CONSTRAINT replacement_pkey DO UPDATE SET replacement = excluded.replacement`.execute(database);
    },
    async versionsOf(transaction) {
      const { rows } = await sql<{ hash: Hex }>`
        WITH RECURSIVE earlier (hash, number) AS (
          SELECT ${transaction.toLowerCase()}::ledger.bytes32, 0
          UNION ALL
          SELECT r.replaced, e.number - 1 FROM earlier e
            JOIN ledger.replacement r ON r.network = ${network} AND r.replacement = e.hash
        ) CYCLE hash SET is_cycle USING path, version (hash, number) AS (
          (SELECT hash, 0 FROM earlier WHERE NOT is_cycle ORDER BY number LIMIT 1)
          UNION ALL
          SELECT r.replacement, v.number + 1 FROM version v
            JOIN ledger.replacement r ON r.network = ${network} AND r.replaced = v.hash
        ) CYCLE hash SET is_cycle USING path
        SELECT hash FROM version WHERE NOT is_cycle ORDER BY number`.execute(database);
      return rows.map(({ hash }) => hash);
    },
  };
}
