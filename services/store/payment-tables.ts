import type { Generated, GeneratedAlways } from 'kysely';

/** A payment that pays for a call, as the functions of the ledger write it. Addresses and hashes are in lower case. */
export interface PaymentClaimTable {
  claim_id: string;
  /** CAIP-2. */
  network: string;
  asset: string;
  payer: string;
  pay_to: string;
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
  state: 'executing' | 'retained' | 'settling' | 'unsent' | 'settled' | 'failed';
  lease_until: Date;
  /** When to ask again what became of it, and how often that was done. */
  due_at: Date | null;
  tries: number;
  transaction: string | null;
  /** Of a failed claim: whether the chain proves that it can never settle. */
  is_final: boolean | null;
  /** JSON text of an x402 `SettleResponse`. */
  payment_response: string | null;
  created_at: Date;
  /** When it was recorded that the claim is settled. */
  settled_at: Date | null;
  /** The block of the transaction, as it was last seen. Null: not located yet, or no longer in the chain. */
  block_number: bigint | null;
  block_hash: string | null;
  /** When the transaction of a settled claim was first missing from the chain. */
  missing_at: Date | null;
  /** When enough blocks were on top of the transaction. */
  finalized_at: Date | null;
  /** When it was certain that a settled claim will never be paid, and why. */
  lost_at: Date | null;
  lost_reason: string | null;
  /** When an operator ended the claim. */
  released_at: Date | null;
}

/** The signed authorization of a payment that is not final. */
export interface PaymentAuthorizationTable {
  claim_id: string;
  network: string;
  /** Unix seconds. */
  valid_before_s: bigint;
  key_id: string;
  sealed: Buffer;
}

/** The amount of a claim that was transferred back to the payer. */
export interface PaymentRefundTable {
  claim_id: string;
  network: string;
  asset: string;
  payee: string;
  payer: string;
  amount: bigint;
  /** Hashes of the signed transactions, all with the same nonce. */
  transactions: string[];
  /** The last signed transaction and its nonce. Null: an operator sent the refund. */
  nonce: bigint | null;
  signed: string | null;
  /** The first block that may have a transaction with this nonce. */
  from_block: bigint | null;
  /** The mined transaction, its block and the position of the transfer, as they were last seen. */
  transaction: string | null;
  block_number: bigint | null;
  block_hash: string | null;
  log_index: bigint | null;
  signed_at: Generated<Date>;
  finalized_at: Date | null;
}

/** A comparison of the claims with the chain. */
export interface PaymentReconciliationTable {
  sequence: GeneratedAlways<bigint>;
  network: string;
  asset: string;
  payee: string;
  run_by: 'job' | 'operator';
  from_block: bigint;
  to_block: bigint;
  /** Decimal digits. */
  balance: string;
  differs: boolean;
  /** JSON text. */
  report: string;
  made_at: Generated<Date>;
}

/** A transaction that this service signed, with what its gas cost. */
export interface SignerTransactionTable {
  network: string;
  hash: string;
  signer: string;
  nonce: bigint;
  scheme: 'exact' | 'batch-settlement';
  signed_at: Generated<Date>;
  /** Decimal digits. Null: not known, or not yet. */
  cost_wei: string | null;
  /** When it was final. */
  known_at: Date | null;
}

export interface PaymentTables {
  'ledger.payment_claim': PaymentClaimTable;
  payment_authorization: PaymentAuthorizationTable;
  payment_refund: PaymentRefundTable;
  payment_reconciliation: PaymentReconciliationTable;
  signer_transaction: SignerTransactionTable;
}
