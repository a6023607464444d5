import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Context } from '../payment/context.ts';
import { toLowerHex } from '../payment/hex.ts';

/** The x402 scheme of the payments that a transaction is for. */
export type PaidScheme = 'exact' | 'batch-settlement';

export interface SignerTransaction {
  readonly hash: Hex;
  readonly signer: Hex;
  readonly nonce: number;
}

export type SignerTransactions = ReturnType<typeof createSignerTransactions>;

/**
 * The transactions that this service signs for payments, for all of its copies. What needs a transaction stores it with its own
 * record, before it is sent. Methods throw when the database does not answer.
 */
export function createSignerTransactions({ database, network }: Pick<Context, 'database' | 'network'>) {
  return {
    /** Stores a replacement before it is sent. @throws when the replaced transaction was not stored */
    async noteReplacement({ hash, signer, nonce }: SignerTransaction, replaced: Hex): Promise<void> {
      const { rows } = await sql`
        WITH replaced AS (
          SELECT first_hash, scheme FROM signer_transaction WHERE network = ${network} AND hash = ${toLowerHex(replaced)}
        ), noted AS (
          INSERT INTO signer_transaction (network, hash, first_hash, signer, nonce, scheme)
          SELECT ${network}, ${toLowerHex(hash)}, first_hash, ${toLowerHex(signer)}, ${nonce}, scheme FROM replaced
          ON CONFLICT DO NOTHING
        ) SELECT FROM replaced`.execute(database);
      if (rows.length === 0) throw new Error(`the replaced transaction ${replaced} is not stored`);
    },
    /**
     * A transaction, those that it replaced and all replacements, the latest at the end. A node may have refused some. The
     * claims of a batch share a transaction: when one of them has it replaced, the others find the replacement here.
     */
    async versionsOf(transaction: Hex): Promise<readonly Hex[]> {
      const { rows } = await sql<{ hash: Hex }>`
        SELECT version.hash FROM signer_transaction AS version WHERE network = ${network} AND first_hash = (
          SELECT first_hash FROM signer_transaction WHERE network = ${network} AND hash = ${toLowerHex(transaction)})
        ORDER BY sequence`.execute(database);
      // A facilitator signs elsewhere.
      return rows.length === 0 ? [toLowerHex(transaction)] : rows.map(({ hash }) => hash);
    },
  };
}
