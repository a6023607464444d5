import { sql } from 'kysely';
import type { Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { KnownChain } from '../chain/known-chain.ts';
import { oneNode } from '../chain/nodes.ts';
import { findReceipt } from '../chain/rpc.ts';
import type { Context } from '../payment/context.ts';
import type { PaidScheme, SignerTransaction } from './signer-transactions.ts';
import type { TransactionSender } from './transaction-sender.ts';

/** Most transactions read in one run: the others wait for the next one. */
const MAX_READ = 100;

/**
 * Creates the work that replaces settlements that are not mined, where fees have risen, and that reads the costs of
 * transactions once a final block has them, or another one with their nonce.
 */
export function createTransactionFollower(context: Context & KnownChain, sender: TransactionSender | undefined) {
  const { database, network, rpc, blocks, logger } = context;
  /** The place of the last one that was read. Some may never be mined, such as those of an earlier key. */
  let after = 0n;
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
    const { rows } = await sql<SignerTransaction & { readonly scheme: PaidScheme; readonly sequence: bigint }>`
      SELECT hash, signer, nonce::integer, scheme, sequence FROM signer_transaction
      WHERE network = ${network} AND known_at IS NULL AND sequence > ${after}
      ORDER BY sequence LIMIT ${MAX_READ}`.execute(database);
    after = rows.length < MAX_READ ? 0n : defined(rows.at(-1)).sequence;
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
