import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Database } from '../../store/database.ts';
import type { ConfirmedBlocks } from '../chain/confirmed-blocks.ts';
import { oneNode, type Rpc } from '../chain/nodes.ts';
import { findReceipt } from '../chain/rpc.ts';
import { toLowerHex } from '../payment/hex.ts';
import type { TransactionSender } from './transaction-sender.ts';

/** The x402 scheme of the payments that a transaction is for. */
export type PaidScheme = 'exact' | 'batch-settlement';

export interface SignerTransaction {
  readonly hash: Hex;
  readonly signer: Hex;
  readonly nonce: number;
}

/** The transactions that this service signs for payments, for all of its copies. Methods throw when the database does not answer. */
export interface SignerTransactions {
  /** Stores a transaction before it is sent. */
  note(transaction: SignerTransaction, scheme: PaidScheme): Promise<void>;
  /** Stores a replacement before it is sent. @throws when the replaced transaction was not stored */
  noteReplacement(replacement: SignerTransaction, replaced: Hex): Promise<void>;
  /**
   * A transaction, those that it replaced and all replacements, the latest at the end. A node may have refused some. The
   * claims of a batch share a transaction: when one of them has it replaced, the others find the replacement here.
   */
  versionsOf(transaction: Hex): Promise<readonly Hex[]>;
}

export interface SignerTransactionsOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
}

export function createSignerTransactions({ database, network }: SignerTransactionsOptions): SignerTransactions {
  return {
    async note({ hash, signer, nonce }, scheme) {
      await sql`
        INSERT INTO signer_transaction (network, hash, first_hash, signer, nonce, scheme)
        VALUES (${network}, ${toLowerHex(hash)}, ${toLowerHex(hash)}, ${toLowerHex(signer)}, ${nonce}, ${scheme})
        ON CONFLICT DO NOTHING`.execute(database);
    },
    async noteReplacement({ hash, signer, nonce }, replaced) {
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
    async versionsOf(transaction) {
      const { rows } = await sql<{ hash: Hex }>`
        SELECT version.hash FROM signer_transaction AS version WHERE network = ${network} AND first_hash = (
          SELECT first_hash FROM signer_transaction WHERE network = ${network} AND hash = ${toLowerHex(transaction)})
        ORDER BY sequence`.execute(database);
      // A facilitator signs elsewhere.
      return rows.length === 0 ? [toLowerHex(transaction)] : rows.map(({ hash }) => hash);
    },
  };
}

/** Most transactions read in one run: the others wait for the next one. */
const MAX_READ = 100;

export interface TransactionFollowerOptions extends SignerTransactionsOptions {
  readonly rpc: Rpc;
  readonly blocks: ConfirmedBlocks;
  /** undefined: no key is held here. */
  readonly sender: Pick<TransactionSender, 'hasten'> | undefined;
  readonly logger: Logger;
}

/**
 * Creates the work that replaces settlements that are not mined, where fees have risen, and that reads the costs of
 * transactions once a final block has them, or another one with their nonce.
 */
export function createTransactionFollower(options: TransactionFollowerOptions) {
  const { database, network, rpc, blocks, sender, logger } = options;
  const logError = createRepeatedErrorLog({ logger, message: 'a transaction could not be replaced' });

  async function hasten(hash: Hex): Promise<void> {
    const replacement = await sender?.hasten(hash).catch((error: unknown) => logError(error, { fields: { hash } }));
    if (replacement) logger.info({ hash, replacement }, 'a settlement was sent again with higher fees');
  }

  async function noteCost(hash: Hex, cost: bigint | 'unknown'): Promise<void> {
    await sql`UPDATE signer_transaction SET cost_wei = ${cost === 'unknown' ? null : `${cost}`}::numeric,
      known_at = ledger.clock() WHERE network = ${network} AND hash = ${hash} AND known_at IS NULL`.execute(database);
  }

  return async (signal: AbortSignal): Promise<void> => {
    const { confirmed } = await blocks.readHead();
    const { rows } = await sql<SignerTransaction & { readonly scheme: PaidScheme }>`
      SELECT hash, signer, nonce::integer, scheme FROM signer_transaction WHERE network = ${network} AND known_at IS NULL
      ORDER BY signed_at LIMIT ${MAX_READ}`.execute(database);
    for (const { hash, signer, nonce, scheme } of rows) {
      if (signal.aborted) return;
      const [receipt, used] = await oneNode(() =>
        Promise.all([
          findReceipt(rpc, hash),
          confirmed ? rpc.getTransactionCount({ address: signer, blockNumber: confirmed.number }) : 0,
        ]),
      );
      if (used > nonce) await noteCost(hash, receipt === undefined ? 0n : receipt.costWei);
      // The record of a channel's transaction has its signed bytes, so its own follower replaces it.
      else if (receipt === undefined && scheme === 'exact') await hasten(hash);
    }
  };
}
