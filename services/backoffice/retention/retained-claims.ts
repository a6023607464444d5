import { sql, type Transaction } from 'kysely';
import type { ClaimRecord } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Tables } from '../../store/database.ts';

/** A row of `payment_claim`, from which the claim of a payment can be rebuilt. Hashes are hexadecimal. */
export interface RetainedClaim {
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly validBeforeS: bigint;
  readonly digest: string;
  readonly fingerprint: string;
  readonly offerSecretHash: string;
  readonly paymentIdentifierHash: string | undefined;
  readonly fromBlock: bigint | undefined;
}

const HASH_BYTES = 32;

/** @throws {ServiceError} INVALID_ARGUMENT */
export function readRetainedClaim(record: ClaimRecord | undefined): RetainedClaim {
  if (record === undefined) throw new ServiceError('INVALID_ARGUMENT', 'claim is missing');
  const { network, asset, payer, nonce, amount, validBeforeS, fromBlock, paymentIdentifierHash } = record;
  const hex = (bytes: Buffer): string => {
    if (bytes.length !== HASH_BYTES)
      throw new ServiceError('INVALID_ARGUMENT', 'a hash of the claim does not have 32 bytes');
    return bytes.toString('hex');
  };
  if ([network, asset, payer, nonce].includes('') || amount === 0n) {
    throw new ServiceError('INVALID_ARGUMENT', 'claim is incomplete');
  }
  return {
    network,
    asset,
    payer,
    nonce,
    amount,
    validBeforeS,
    fromBlock,
    digest: hex(record.digest),
    fingerprint: hex(record.fingerprint),
    offerSecretHash: hex(record.offerSecretHash),
    paymentIdentifierHash: paymentIdentifierHash === undefined ? undefined : hex(paymentIdentifierHash),
  };
}

/**
 * Stores the claims of payments. Only the first retained execution of a payment counts.
 * @returns ids of the records that another execution of the same payment supersedes
 */
export async function insertClaims(
  transaction: Transaction<Tables>,
  calls: readonly { readonly recordId: string; readonly claim: RetainedClaim }[],
): Promise<ReadonlySet<string>> {
  const rows = calls.map(({ recordId, claim }) => ({
    claim_id: recordId,
    network: claim.network,
    asset: claim.asset,
    payer: claim.payer,
    nonce: claim.nonce,
    amount: String(claim.amount),
    valid_before_s: String(claim.validBeforeS),
    digest: claim.digest,
    fingerprint: claim.fingerprint,
    offer_secret_hash: claim.offerSecretHash,
    payment_identifier_hash: claim.paymentIdentifierHash ?? null,
    from_block: claim.fromBlock === undefined ? null : String(claim.fromBlock),
  }));
  await sql`
    INSERT INTO payment_claim (claim_id, network, asset, payer, nonce, amount, valid_before_s, digest, fingerprint,
      offer_secret_hash, payment_identifier_hash, from_block)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS claim (claim_id uuid, network text, asset text,
      payer text, nonce text, amount bigint, valid_before_s bigint, digest text, fingerprint text,
      offer_secret_hash text, payment_identifier_hash text, from_block bigint)
    -- All batches use this order, so that two of them cannot wait for each other.
    ORDER BY network, asset, payer, nonce
    ON CONFLICT DO NOTHING`.execute(transaction);
  const ids = calls.map(({ recordId }) => recordId);
  const kept = await transaction.selectFrom('payment_claim').select('claim_id').where('claim_id', 'in', ids).execute();
  const keptIds = new Set(kept.map(({ claim_id }) => claim_id));
  return new Set(ids.filter((id) => !keptIds.has(id)));
}
