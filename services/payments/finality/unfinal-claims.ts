import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import { IS_OPEN, IS_UNFINAL } from '../../store/payment-claims.ts';
import type { BlockRef } from '../chain/authorization-use.ts';
import type { AuthorizationQuery } from '../chain/chain.ts';
import type { SignerNonce } from '../claims/claims.ts';
import { isBytes32, isHexAddress, toLowerHex } from '../payment/hex.ts';

/** A settled claim whose transaction is not located in the chain. */
export interface UnlocatedClaim extends AuthorizationQuery {
  readonly claimId: string;
  readonly transaction: Hex | undefined;
  /** Whether the transaction was missing at an earlier check too. */
  readonly wasMissing: boolean;
}

/** The settled claims that are neither final nor lost, in PostgreSQL. */
export interface UnfinalClaims {
  /** The blocks in which transactions were located. */
  blocks(): Promise<readonly BlockRef[]>;
  /** The next claims without a block, in the order of their ids. */
  unlocated(after: string, limit: number): Promise<readonly UnlocatedClaim[]>;
  locate(claimId: string, found: { readonly transaction: Hex; readonly block: BlockRef }): Promise<void>;
  /** Forgets a block that is no longer in the chain. @returns ids of the claims in it */
  forget(block: BlockRef): Promise<readonly string[]>;
  /** Makes the claims of a block final, and deletes their authorizations. */
  finalize(block: BlockRef): Promise<void>;
  noteMissing(claimId: string): Promise<void>;
  /** Notes the transaction of a settlement that is sent again, and stores it with the signer's others, before it is sent. */
  noteTransaction(claimId: string, transaction: Hex, signed: SignerNonce): Promise<void>;
  lose(claimId: string, reason: string): Promise<void>;
  /** Ids of claims without an outcome whose transaction was noted. */
  sent(after: string, limit: number): Promise<readonly string[]>;
}

export function createUnfinalClaims({
  database,
  network,
  asset,
}: {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: Hex;
}): UnfinalClaims {
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
    async blocks() {
      const { rows } = await sql<BlockRef>`
        SELECT DISTINCT block_number AS number, block_hash AS hash FROM ledger.payment_claim AS payment_claim
        WHERE ${unfinal} AND block_number IS NOT NULL ORDER BY number`.execute(database);
      return rows;
    },
    async unlocated(after, limit) {
      const { rows } = await sql<UnlocatedRow>`
        SELECT claim_id, payer, pay_to, nonce, amount, valid_before_s, from_block, transaction, missing_at FROM ledger.payment_claim AS payment_claim
        WHERE ${unfinal} AND block_number IS NULL AND claim_id > ${after} ORDER BY claim_id LIMIT ${limit}`.execute(
        database,
      );
      return rows.map(toUnlocated);
    },
    locate: (claimId, { transaction, block }) =>
      update(
        claimId,
        sql`transaction = ${toLowerHex(transaction)}, block_number = ${block.number}, block_hash = ${toLowerHex(block.hash)},
          missing_at = NULL`,
      ),
    async forget(block) {
      const { rows } = await sql<{ claim_id: string }>`
        UPDATE ledger.payment_claim AS payment_claim SET block_number = NULL, block_hash = NULL WHERE ${unfinal} AND ${inBlock(block)}
        RETURNING claim_id`.execute(database);
      return rows.map(({ claim_id }) => claim_id);
    },
    async finalize(block) {
      await sql`
        WITH final AS (
          UPDATE ledger.payment_claim AS payment_claim SET finalized_at = ledger.clock() WHERE ${unfinal} AND ${inBlock(block)}
          RETURNING claim_id)
        DELETE FROM payment_authorization USING final WHERE payment_authorization.claim_id = final.claim_id`.execute(
        database,
      );
    },
    noteMissing: (claimId) => update(claimId, sql`missing_at = coalesce(missing_at, ledger.clock())`),
    async noteTransaction(claimId, transaction, { signer, nonce }) {
      await sql`
        WITH noted AS (
          UPDATE ledger.payment_claim AS payment_claim SET transaction = ${toLowerHex(transaction)}
          WHERE claim_id = ${claimId} AND ${unfinal})
        INSERT INTO signer_transaction (network, hash, signer, nonce, scheme)
        VALUES (${network}, ${toLowerHex(transaction)}, ${toLowerHex(signer)}, ${nonce}, 'exact')
        ON CONFLICT DO NOTHING`.execute(database);
    },
    lose: (claimId, reason) => update(claimId, sql`lost_at = ledger.clock(), lost_reason = ${reason}`),
    async sent(after, limit) {
      const { rows } = await sql<{ claim_id: string }>`
        SELECT claim_id FROM ledger.payment_claim WHERE ${ours} AND ${IS_OPEN} AND transaction IS NOT NULL AND claim_id > ${after} ORDER BY claim_id LIMIT ${limit}`.execute(
        database,
      );
      return rows.map(({ claim_id }) => claim_id);
    },
  };
}

interface UnlocatedRow {
  readonly claim_id: string;
  readonly payer: string;
  readonly pay_to: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly valid_before_s: bigint;
  readonly from_block: bigint | null;
  readonly transaction: string | null;
  readonly missing_at: Date | null;
}

/** @throws {Error} for a row that this service cannot have written */
function toUnlocated(row: UnlocatedRow): UnlocatedClaim {
  const { claim_id: claimId, payer, pay_to: payTo, nonce, transaction } = row;
  const isHex = isHexAddress(payer) && isHexAddress(payTo) && isBytes32(nonce);
  if (!isHex || (transaction !== null && !isBytes32(transaction))) {
    throw new Error(`the record of claim ${claimId} is malformed`);
  }
  return {
    claimId,
    payer,
    payTo,
    nonce,
    amount: row.amount,
    validBeforeS: Number(row.valid_before_s),
    fromBlock: row.from_block ?? undefined,
    transaction: transaction ?? undefined,
    wasMissing: row.missing_at !== null,
  };
}
