-- The signed authorization of a payment, encrypted. It is kept until the settlement is final or can no longer be sent.
CREATE TABLE payment_authorization (
  claim_id uuid PRIMARY KEY,
  network text NOT NULL,
  valid_before_s bigint NOT NULL,
  key_id text NOT NULL,
  sealed bytea NOT NULL
);

CREATE INDEX payment_authorization_validity ON payment_authorization (network, valid_before_s);

-- The amount of a claim that was transferred back to the payer. At most one per claim.
CREATE TABLE payment_refund (
  claim_id uuid PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payee text NOT NULL,
  payer text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- Hashes of the signed transactions. All have the same nonce, so at most one of them can be mined.
  transactions text[] NOT NULL CHECK (cardinality(transactions) > 0),
  -- The last signed transaction and its nonce; null: an operator sent the refund.
  nonce bigint,
  signed text,
  -- The block and the position of the transfer, as it was last seen.
  transaction text,
  block_number bigint,
  block_hash text,
  log_index bigint,
  signed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finalized_at timestamptz,
  CHECK ((nonce IS NULL) = (signed IS NULL)),
  CHECK ((transaction IS NULL) = (block_number IS NULL) AND (transaction IS NULL) = (block_hash IS NULL)
    AND (transaction IS NULL) = (log_index IS NULL)),
  -- One transfer refunds one claim.
  UNIQUE (network, transaction, log_index)
);

CREATE INDEX payment_refund_not_final ON payment_refund (network, claim_id) WHERE finalized_at IS NULL;

-- Comparisons of the claims with the chain. No row is ever changed or deleted.
CREATE TABLE payment_reconciliation (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payee text NOT NULL,
  -- `job` or `operator`: each continues where its own last run ended.
  run_by text NOT NULL CHECK (run_by IN ('job', 'operator')),
  from_block bigint NOT NULL,
  to_block bigint NOT NULL,
  -- The payee's balance at the end of `to_block`.
  balance numeric NOT NULL,
  differs boolean NOT NULL,
  -- JSON text.
  report text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX payment_reconciliation_last ON payment_reconciliation (network, asset, payee, run_by, sequence);

CREATE TRIGGER payment_reconciliation_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_reconciliation
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
