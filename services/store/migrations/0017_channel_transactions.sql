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
