import { type RawBuilder, sql } from 'kysely';
import type { Hex } from 'viem';
import { IS_OPEN, IS_UNFINAL } from '../../store/payment-claims.ts';
import type { BlockRef } from '../chain/authorization-use.ts';
import type { SignerNonce } from '../claims/claims.ts';
import type { Context } from '../payment/context.ts';
import { toLowerHex } from '../payment/hex.ts';

/** A claim that has no block: its transaction was noted, or it is settled. */
export interface UnlocatedClaim {
  readonly claimId: string;
  /** Whether the transaction of a settled claim was missing at an earlier check too. */
  readonly wasMissing: boolean;
}

export type UnfinalClaims = ReturnType<typeof createUnfinalClaims>;

/** The claims that were sent and are neither final nor lost, in PostgreSQL. */
export function createUnfinalClaims({
  database,
  network,
  terms: { asset },
}: Pick<Context, 'database' | 'network' | 'terms'>) {
  /** The claims of this network that are not final. */
  const ours = sql`network = ${network} AND asset = ${toLowerHex(asset)}`;
  const unfinal = sql`${ours} AND ${IS_UNFINAL}`;
  const inBlock = ({ number, hash }: BlockRef) => sql`block_number = ${number} AND block_hash = ${hash.toLowerCase()}`;
  const update = async (claimId: string, change: ReturnType<typeof sql>) => {
    await sql`UPDATE ledger.payment_claim AS payment_claim SET ${change} WHERE claim_id = ${claimId} AND ${unfinal}`.execute(
      database,
    );
  };
  return {
    /** The blocks in which transactions were located. */
    async blocks(): Promise<readonly BlockRef[]> {
      const { rows } = await sql<BlockRef>`
        SELECT DISTINCT block_number AS number, block_hash AS hash FROM ledger.payment_claim AS payment_claim
        WHERE ${unfinal} AND block_number IS NOT NULL ORDER BY number`.execute(database);
      return rows;
    },
    /** The next claims that are sent or settled and have no block, in the order of their ids. */
    async unlocated(after: string, limit: number): Promise<readonly UnlocatedClaim[]> {
      // Each half reads an index of its own.
      const page = (condition: RawBuilder<unknown>) => sql`(
        SELECT claim_id, missing_at FROM ledger.payment_claim AS payment_claim
        WHERE ${ours} AND ${condition} AND claim_id > ${after} ORDER BY claim_id LIMIT ${limit})`;
      const { rows } = await sql<UnlocatedClaim>`
        SELECT claim_id AS "claimId", missing_at IS NOT NULL AS "wasMissing" FROM (
          ${page(sql`${IS_UNFINAL} AND block_number IS NULL`)}
          UNION ALL ${page(sql`${IS_OPEN} AND transaction IS NOT NULL`)}) AS unlocated
        ORDER BY claim_id LIMIT ${limit}`.execute(database);
      return rows;
    },
    locate: (
      claimId: string,
      { transaction, block }: { readonly transaction: Hex; readonly block: BlockRef },
    ): Promise<void> =>
      update(
        claimId,
        sql`transaction = ${toLowerHex(transaction)}, block_number = ${block.number}, block_hash = ${toLowerHex(block.hash)},
          missing_at = NULL`,
      ),
    /** Forgets a block that is no longer in the chain. @returns ids of the claims in it */
    async forget(block: BlockRef): Promise<readonly string[]> {
      const { rows } = await sql<{ claim_id: string }>`
        UPDATE ledger.payment_claim AS payment_claim SET block_number = NULL, block_hash = NULL WHERE ${unfinal} AND ${inBlock(block)}
        RETURNING claim_id`.execute(database);
      return rows.map(({ claim_id }) => claim_id);
    },
    /** Makes the claims of a block final, and deletes their authorizations. */
    async finalize(block: BlockRef): Promise<void> {
      await sql`
        WITH final AS (
          UPDATE ledger.payment_claim AS payment_claim SET finalized_at = ledger.clock() WHERE ${unfinal} AND ${inBlock(block)}
          RETURNING claim_id)
        DELETE FROM payment_authorization USING final WHERE payment_authorization.claim_id = final.claim_id`.execute(
        database,
      );
    },
    noteMissing: (claimId: string): Promise<void> =>
      update(claimId, sql`missing_at = coalesce(missing_at, ledger.clock())`),
    /** Notes the transaction of a settlement that is sent again, and stores it with the signer's others, before it is sent. */
    async noteTransaction(claimId: string, transaction: Hex, { signer, nonce }: SignerNonce): Promise<void> {
      await sql`
        WITH noted AS (
          UPDATE ledger.payment_claim AS payment_claim SET transaction = ${toLowerHex(transaction)}
          WHERE claim_id = ${claimId} AND ${unfinal})
        INSERT INTO signer_transaction (network, hash, first_hash, signer, nonce, scheme)
        VALUES (${network}, ${toLowerHex(transaction)}, ${toLowerHex(transaction)}, ${toLowerHex(signer)}, ${nonce}, 'exact')
        ON CONFLICT DO NOTHING`.execute(database);
    },
    lose: (claimId: string, reason: string): Promise<void> =>
      update(claimId, sql`lost_at = ledger.clock(), lost_reason = ${reason}`),
  };
}
