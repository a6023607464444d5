-- Payments and channels, as the payments service and the back office keep them beside the ledger.

-- The signed authorization of a payment, encrypted. It is stored with the claim, and kept until the claim is released or fails, or its
-- settlement is final or can no longer be sent.
CREATE TABLE payment_authorization (
  claim_id uuid PRIMARY KEY REFERENCES ledger.payment_claim ON DELETE CASCADE,
  network text NOT NULL,
  valid_before_s bigint NOT NULL,
  key_id text NOT NULL,
  sealed bytea NOT NULL
);

CREATE INDEX payment_authorization_validity ON payment_authorization (network, valid_before_s);

-- What the payee of a claim gives back to its payer, at most once. An operator sends the transfer.
CREATE TABLE payment_refund (
  claim_id uuid PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payee text NOT NULL,
  payer text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- When the operator was told the transfer.
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The transfer, recorded when a final block has it. Null: the refund is open.
  transaction text,
  block_number bigint,
  log_index bigint,
  finalized_at timestamptz,
  CHECK (num_nulls(transaction, block_number, log_index, finalized_at) IN (0, 4)),
  -- One transfer refunds one claim.
  UNIQUE (network, transaction, log_index)
);

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

-- Channels whose configuration is known, with what the contract showed at a final block. Amounts are atomic units.
CREATE TABLE channel (
  -- 32 bytes, hexadecimal with 0x. It is a hash of the configuration, the chain and the contract.
  channel_id text PRIMARY KEY CHECK (length(channel_id) = 66 AND channel_id ~ '^0x[0-9a-f]+$'),
  network text NOT NULL,
  payer text NOT NULL,
  payer_authorizer text NOT NULL,
  receiver text NOT NULL,
  receiver_authorizer text NOT NULL,
  token text NOT NULL,
  withdraw_delay_s bigint NOT NULL,
  salt text NOT NULL,
  -- The latest final block when the channel was stored.
  first_block bigint NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  total_claimed bigint NOT NULL DEFAULT 0,
  refund_nonce bigint NOT NULL DEFAULT 0,
  -- Of a withdrawal that was started; null: none.
  withdraw_amount bigint,
  withdraw_requested_at_s bigint,
  -- The block of these facts; null: not read yet.
  block_number bigint,
  read_at timestamptz,
  CHECK ((withdraw_amount IS NULL) = (withdraw_requested_at_s IS NULL))
);

CREATE INDEX channel_network ON channel (network, channel_id);
CREATE INDEX channel_withdrawing ON channel (network, channel_id) WHERE withdraw_amount IS NOT NULL;

-- Transactions of ours that change channels. Each is stored before it is sent, and ends when a final block proves what
-- became of it.
CREATE TABLE channel_transaction (
  network text NOT NULL,
  -- The kind, a colon, and the idempotency key: payer and nonce of a deposit, the id of a refund, any UUID of a claim.
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deposit', 'claim', 'refund')),
  -- JSON text: what the transaction does, so that it can be built again.
  request text NOT NULL,
  -- The latest block when it was stored.
  from_block bigint NOT NULL,
  -- Hashes of the signed transactions. More than one: the fees were raised, or another transaction took the nonce.
  transactions text[] NOT NULL,
  -- The last signed transaction and its nonce; null: nothing was signed here.
  nonce bigint,
  signed text,
  state text NOT NULL CHECK (state IN ('open', 'done', 'refused')),
  -- x402 error reason of what was refused.
  reason text,
  -- Of what is done: the transaction that a final block has, and the amount that it moved.
  transaction text,
  amount bigint,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  PRIMARY KEY (network, id),
  CHECK ((nonce IS NULL) = (signed IS NULL)),
  CHECK ((state = 'open') = (ended_at IS NULL)),
  CHECK ((state = 'refused') = (reason IS NOT NULL))
);

CREATE INDEX channel_transaction_open ON channel_transaction (network, id) WHERE state = 'open';

-- How far the back office has read the events of channels.
CREATE TABLE channel_watch (
  network text PRIMARY KEY,
  next_block bigint NOT NULL,
  -- When it had read all events last, and in which epoch of the ledger.
  watched_at timestamptz NOT NULL,
  epoch integer NOT NULL
);

-- The operator's page counts these every few seconds, so it must not read whole tables.
CREATE INDEX channel_transaction_refused ON channel_transaction (network, ended_at) WHERE state = 'refused';

-- What was claimed of channels, when the contract showed it, whoever sent the claim.
CREATE TABLE channel_claim (
  network text NOT NULL,
  channel_id text NOT NULL,
  amount bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT ledger.clock()
);
CREATE INDEX channel_claim_at ON channel_claim (at);

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
  -- Its first version: a replacement has the same nonce and higher fees. The claims of a batch share a transaction, and one
  -- of them may replace it.
  first_hash ledger.bytes32 NOT NULL,
  -- The order of the versions.
  sequence bigint GENERATED ALWAYS AS IDENTITY,
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
CREATE INDEX signer_transaction_version ON signer_transaction (network, first_hash);
CREATE INDEX signer_transaction_open ON signer_transaction (network, sequence) WHERE known_at IS NULL;
CREATE INDEX signer_transaction_known ON signer_transaction (known_at) WHERE known_at IS NOT NULL;
