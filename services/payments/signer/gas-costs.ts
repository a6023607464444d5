import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import type { ConfirmedBlocks } from '../chain/confirmed-blocks.ts';
import { oneNode, type Rpc } from '../chain/nodes.ts';
import { findReceipt } from '../chain/rpc.ts';

/** The x402 scheme of the payments that a transaction is for. */
export type PaidScheme = 'exact' | 'batch-settlement';

export interface CostlyTransaction {
  readonly hash: Hex;
  readonly signer: Hex;
  readonly nonce: number;
}

/** What the gas of the transactions costs that this service signs, for all copies of it. */
export interface GasCosts {
  /**
   * Stores a transaction before it is sent.
   * @param scheme what it is for, or the transactions that it replaces
   */
  note(transaction: CostlyTransaction, scheme: PaidScheme | readonly Hex[]): Promise<void>;
}

export function createGasCosts({
  database,
  network,
}: {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
}): GasCosts {
  return {
    async note({ hash, signer, nonce }, scheme) {
      const replaced = typeof scheme === 'string' ? [] : scheme.map((version) => version.toLowerCase());
      await sql`
        INSERT INTO signer_transaction (network, hash, signer, nonce, scheme)
        SELECT ${network}, ${hash.toLowerCase()}, ${signer.toLowerCase()}, ${nonce}, found.scheme
        FROM (SELECT ${typeof scheme === 'string' ? scheme : null}::text AS scheme UNION ALL SELECT scheme
          FROM signer_transaction WHERE network = ${network} AND hash = ANY (${replaced}::text[])) AS found
        WHERE found.scheme IS NOT NULL LIMIT 1 ON CONFLICT DO NOTHING`.execute(database);
    },
  };
}

/** Transactions of one run: the rest waits for the next one. */
const MOST_READ = 100;

/** Reads the costs of transactions once a final block has them, or another one with their nonce. */
export function createCostFollower({
  database,
  network,
  rpc,
  blocks,
}: {
  readonly database: Database;
  readonly network: string;
  readonly rpc: Rpc;
  readonly blocks: ConfirmedBlocks;
}): (signal: AbortSignal) => Promise<void> {
  async function costOf({ hash, signer, nonce }: CostlyTransaction, confirmed: bigint) {
    const [receipt, used] = await oneNode(() =>
      Promise.all([findReceipt(rpc, hash), rpc.getTransactionCount({ address: signer, blockNumber: confirmed })]),
    );
    if (used <= nonce) return undefined;
    return receipt === undefined ? 0n : receipt.costWei;
  }
  return async (signal) => {
    const { rows } = await sql<CostlyTransaction>`
      SELECT hash, signer, nonce::integer FROM signer_transaction WHERE network = ${network} AND known_at IS NULL
      ORDER BY signed_at LIMIT ${MOST_READ}`.execute(database);
    if (rows.length === 0) return;
    const { confirmed } = await blocks.readHead();
    if (confirmed === undefined) return;
    for (const transaction of rows) {
      if (signal.aborted) return;
      const cost = await costOf(transaction, confirmed.number);
      if (cost === undefined) continue;
      await sql`UPDATE signer_transaction SET cost_wei = ${cost === 'unknown' ? null : `${cost}`}::numeric,
        known_at = ledger.clock() WHERE network = ${network} AND hash = ${transaction.hash} AND known_at IS NULL`.execute(
        database,
      );
    }
  };
}
