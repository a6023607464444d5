import { sql } from 'kysely';
import type { Hex } from 'viem';
import { onlyRow } from '../../store/rows.ts';
import { findQuiet, NotQuietError } from '../signer/transaction-sender.ts';
import type { DeskContext } from './desk-context.ts';

export type Restored = ReturnType<typeof createRestored>;

/** What transactions from before the latest restore of the database can be. */
export function createRestored({ database, rpc, payee, terms }: DeskContext) {
  return {
    /** When the database was last restored. Now, if the ledger has not noticed it yet. Null: never. */
    async at(): Promise<Date | null> {
      const { rows } = await sql<{ at: Date | null }>`
        SELECT CASE WHEN identity <> ledger.identity() THEN clock_timestamp() WHEN number > 0 THEN began_at END AS at
        FROM ledger.epoch ORDER BY number DESC LIMIT 1`.execute(database);
      return onlyRow(rows).at;
    },
    /**
     * Reads a block from after a time, such as that of the restore, that has all transactions of an address.
     * @throws {NotQuietError} where a transaction waits to be mined, or the node has no such block
     */
    async readEnd(address: Hex, since: Date): Promise<bigint> {
      const end = await (payee?.address === address
        ? payee.whileQuiet(async (block) => block)
        : findQuiet(rpc, address));
      if (end === undefined) throw new NotQuietError('a transaction waits to be mined');
      // A node that stands still shows nothing of what was sent later. That of the sandbox makes a block only for a transaction.
      const isLater = terms.sandbox || Number(end.timestamp) * 1000 > since.getTime();
      if (!isLater) throw new NotQuietError('the node has no block from after that');
      return end.number;
    },
  };
}
