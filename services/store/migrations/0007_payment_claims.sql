-- Up Migration

-- A payment whose result is retained, with all data to rebuild its claim in Redis. The row is written with the bodies.
-- It has no signature, header or body, and has secrets only as hashes.
CREATE TABLE payment_claim (
  claim_id uuid PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payer text NOT NULL,
  nonce text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  valid_before_s bigint NOT NULL,
  digest text NOT NULL,
  fingerprint text NOT NULL,
  offer_secret_hash text NOT NULL,
  payment_identifier_hash text,
  from_block bigint,
  transaction text,
  outcome text CHECK (outcome IN ('settled', 'failed')),
  is_final boolean,
  payment_response text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- One payment has one result, even if Redis has lost its claim.
  UNIQUE (network, asset, payer, nonce),
  CHECK ((outcome IS NULL) = (is_final IS NULL) AND (outcome IS NULL) = (payment_response IS NULL)),
  CHECK (outcome IS DISTINCT FROM 'settled' OR is_final)
);

-- The latest position at which each store of claims was seen, and the valid epoch. A store with an earlier position has
-- lost writes, and a store with another epoch is another store.
CREATE TABLE claims_witness (
  network text PRIMARY KEY,
  epoch text NOT NULL,
  sequence bigint NOT NULL
);

-- Down Migration

DROP TABLE claims_witness, payment_claim;
