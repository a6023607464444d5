-- What a payment paid for, or a channel was charged for. Null: unknown, as for charges that a voucher recovered.
ALTER TABLE ledger.payment_claim ADD COLUMN operation ledger.name;
ALTER TABLE ledger.entry ADD COLUMN operation ledger.name;
CREATE INDEX payment_claim_settled_at ON ledger.payment_claim (settled_at) WHERE settled_at IS NOT NULL;
-- Only entries of channels have no day.
CREATE INDEX entry_of_channel ON ledger.entry (at) WHERE day IS NULL;

-- What was claimed of channels, when the contract showed it, whoever sent the claim.
CREATE TABLE channel_claim (
  network text NOT NULL,
  channel_id text NOT NULL,
  amount bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT ledger.clock()
);
CREATE INDEX channel_claim_at ON channel_claim (at);
INSERT INTO channel_claim (network, channel_id, amount)
  SELECT network, channel_id, total_claimed FROM channel WHERE total_claimed > 0;

CREATE FUNCTION note_channel_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO channel_claim (network, channel_id, amount)
    VALUES (NEW.network, NEW.channel_id, NEW.total_claimed - OLD.total_claimed);
  RETURN NULL;
END $$;
CREATE TRIGGER channel_claim_is_noted AFTER UPDATE OF total_claimed ON channel
  FOR EACH ROW WHEN (NEW.total_claimed <> OLD.total_claimed) EXECUTE FUNCTION note_channel_claim();

-- Transactions that this service signed, stored before they are sent, with what their gas cost.
CREATE TABLE signer_transaction (
  network text NOT NULL,
  hash ledger.bytes32 NOT NULL,
  signer ledger.wallet_address NOT NULL,
  nonce bigint NOT NULL,
  -- The x402 scheme of the payments that it is for.
  scheme text NOT NULL CHECK (scheme IN ('exact', 'batch-settlement')),
  signed_at timestamptz NOT NULL DEFAULT ledger.clock(),
  -- Zero if another transaction took the nonce. Null once known: the node did not say.
  cost_wei numeric CHECK (cost_wei >= 0),
  known_at timestamptz,
  PRIMARY KEY (network, hash)
);
CREATE INDEX signer_transaction_open ON signer_transaction (network, signed_at) WHERE known_at IS NULL;
CREATE INDEX signer_transaction_known ON signer_transaction (known_at) WHERE known_at IS NOT NULL;

-- Sums of the UTC days before `earning_watermark`, of all calls that were paid for. They are kept for ever.
CREATE TABLE ledger.earning (
  network ledger.network NOT NULL,
  day date NOT NULL,
  scheme text NOT NULL,
  -- `unknown`: not recorded. `-`: of no single operation, such as claims and gas.
  operation ledger.name NOT NULL,
  calls bigint NOT NULL,
  -- Micro-USD.
  sold bigint NOT NULL,
  settled bigint NOT NULL,
  gas_wei numeric NOT NULL,
  -- Transactions whose gas somebody else paid, or whose cost the node did not say.
  unknown_gas bigint NOT NULL,
  PRIMARY KEY (network, day, scheme, operation)
);
CREATE TABLE ledger.earning_watermark (
  summed_until date NOT NULL,
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);
INSERT INTO ledger.earning_watermark (summed_until) VALUES ('-infinity');
-- Charges whose entries are no longer kept.
INSERT INTO ledger.earning
  SELECT network, (ledger.clock() AT TIME ZONE 'UTC')::date, 'batch-settlement', 'unknown', 0, sum(carried), 0, 0, 0
  FROM ledger.channel WHERE carried > 0 GROUP BY network;
