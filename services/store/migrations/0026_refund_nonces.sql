-- The first block that may have a transaction with the nonce of the signed one.
ALTER TABLE payment_refund ADD COLUMN from_block bigint;
UPDATE payment_refund SET from_block = coalesce(
    (SELECT claim.block_number FROM ledger.payment_claim AS claim WHERE claim.claim_id = payment_refund.claim_id), 0)
  WHERE signed IS NOT NULL;
ALTER TABLE payment_refund ADD CHECK ((from_block IS NULL) = (signed IS NULL));
-- What an operator sent is final when it is recorded.
UPDATE payment_refund SET finalized_at = clock_timestamp() WHERE signed IS NULL AND finalized_at IS NULL;
ALTER TABLE payment_refund ADD CHECK (signed IS NOT NULL OR finalized_at IS NOT NULL);

CREATE INDEX replacement_by_replacement ON ledger.replacement (replacement);
