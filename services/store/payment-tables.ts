/** A payment with a retained result. The back office writes it with the bodies; the payments service adds its outcome. */
export interface PaymentClaimTable {
  claim_id: string;
  /** CAIP-2. */
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  /** Atomic units of the asset. */
  amount: bigint;
  /** Unix seconds. */
  valid_before_s: bigint;
  /** SHA-256 or Keccak-256, hexadecimal, as are the hashes below. */
  digest: string;
  fingerprint: string;
  offer_secret_hash: string;
  payment_identifier_hash: string | null;
  from_block: bigint | null;
  transaction: string | null;
  outcome: 'settled' | 'failed' | null;
  is_final: boolean | null;
  /** JSON text of an x402 `SettleResponse`. */
  payment_response: string | null;
}

export interface PaymentTables {
  payment_claim: PaymentClaimTable;
  /** The farthest recorded position of each store of claims, and its valid epoch. */
  claims_witness: { network: string; epoch: string; sequence: bigint };
}
