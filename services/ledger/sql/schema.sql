-- The tables of the ledger. Functions are installed apart from them, for each release.
--
-- A call is a two-phase transfer. A reservation sets its amount aside. A post turns the reservation into an entry, and a
-- void returns the amount. So at every commit:
--
--   of each wallet:   balance = granted - carried - sum of its entries - sum of its open reservations
--   of each channel:  charged = carried + sum of its entries
--
-- What a channel may still charge is what the contract holds for it, as payments stored it in public.channel.
--
-- Amounts are micro-USD. They stay below 2^53, so that every reader of JSON keeps them exact.
--
-- Only keys begin with the network. A plan is made while tables are small, when any index that begins with it looks as good
-- as the key, and would then read the whole network for each batch.

CREATE SCHEMA ledger;

-- What can be checked of one column is checked by its domain. A check of a table is parsed and planned by each statement
-- that writes a row, and a check of a domain once for each connection. Digits are trimmed from the end, because a regular
-- expression takes ten times as long.
CREATE DOMAIN ledger.micro_usd AS bigint CHECK (VALUE BETWEEN 0 AND 9007199254740991);
CREATE DOMAIN ledger.count AS integer CHECK (VALUE >= 0);
CREATE DOMAIN ledger.price AS bigint CHECK (VALUE BETWEEN 1 AND 9007199254740991);
-- CAIP-2: eip155 and a chain id without a leading zero.
CREATE DOMAIN ledger.network AS text COLLATE "C"
  CHECK (rtrim(VALUE, '0123456789') = 'eip155:' AND VALUE NOT LIKE 'eip155:0%' AND length(VALUE) BETWEEN 8 AND 27);
-- Lower case, with the prefix 0x.
CREATE DOMAIN ledger.hex AS text COLLATE "C" CHECK (rtrim(VALUE, '0123456789abcdef') = '0x');
-- A wallet, or a channel. The order of locks is that of the bytes.
CREATE DOMAIN ledger.account AS ledger.hex CHECK (length(VALUE) IN (42, 66));
CREATE DOMAIN ledger.wallet_address AS ledger.hex CHECK (length(VALUE) = 42);
-- A hash of a transaction, the nonce of an authorization, or a channel.
CREATE DOMAIN ledger.bytes32 AS ledger.hex CHECK (length(VALUE) = 66);
CREATE DOMAIN ledger.proof_nonce AS text COLLATE "C"
  CHECK (rtrim(VALUE, '0123456789abcdef') = '' AND length(VALUE) = 32);
CREATE DOMAIN ledger.claim_state AS text CHECK (VALUE IN ('executing', 'retained', 'settling', 'unsent', 'settled',
  'failed'));
CREATE DOMAIN ledger.sha256 AS bytea CHECK (length(VALUE) = 32);
CREATE DOMAIN ledger.name AS text CHECK (VALUE <> '');
CREATE DOMAIN ledger.reservation_kind AS text CHECK (VALUE IN ('trial', 'channel', 'refund'));
CREATE DOMAIN ledger.entry_kind AS text CHECK (VALUE IN ('post', 'recovered'));
CREATE DOMAIN ledger.burnt_outcome AS text CHECK (VALUE IN ('reserved', 'insufficient_balance', 'throttled',
  'daily_budget_exhausted', 'grants_exhausted'));

-- The time of every decision. Only tests replace it.
CREATE FUNCTION ledger.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';
REVOKE ALL ON FUNCTION ledger.clock() FROM PUBLIC;

-- Which database this is, the latest epoch last. A database that was restored, moved or promoted is another one, and may
-- lack commits that callers were told of.
CREATE TABLE ledger.epoch (
  number integer PRIMARY KEY CHECK (number >= 0),
  identity text NOT NULL,
  -- Of the data. A release refuses a later one.
  format integer NOT NULL DEFAULT 1,
  began_at timestamptz NOT NULL,
  -- Proofs that expire earlier may have been used before the epoch, and are refused.
  proofs_from timestamptz NOT NULL
);

-- Three parts, because a restore changes at least one of them: initdb chooses the identifier of the server, a recovery
-- from an archive begins a timeline, and pg_restore creates the table again.
CREATE FUNCTION ledger.identity() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
    'ledger.epoch'::regclass::oid;
END $$;
REVOKE ALL ON FUNCTION ledger.identity() FROM PUBLIC;

INSERT INTO ledger.epoch (number, identity, began_at, proofs_from)
  VALUES (0, ledger.identity(), clock_timestamp(), '-infinity');

CREATE TABLE ledger.wallet (
  network ledger.network NOT NULL,
  address ledger.wallet_address NOT NULL,
  -- The grant at the time of the first reservation. The setting may change later.
  granted ledger.micro_usd NOT NULL,
  granted_at timestamptz NOT NULL DEFAULT ledger.clock(),
  balance ledger.micro_usd NOT NULL,
  -- Sum of the entries that are no longer kept.
  carried ledger.micro_usd NOT NULL DEFAULT 0,
  -- Times of the recent failures that the caller caused.
  failures timestamptz[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (network, address),
  CHECK (balance + carried <= granted)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Operators see how many wallets were new.
CREATE INDEX wallet_granted ON ledger.wallet (granted_at);

-- What trials used of the budget of a UTC day is the sum of its parts. A snapshot that stays open keeps every version of
-- a row, and each update has to pass all of them. So changes go to the newest part, and a full part gets a successor.
-- A part is below zero if it returns more than it takes.
CREATE TABLE ledger.trial_day (
  network ledger.network NOT NULL,
  day date NOT NULL,
  part ledger.count NOT NULL,
  used bigint NOT NULL,
  changes ledger.count NOT NULL DEFAULT 1,
  -- The largest budget that a reservation of this part was checked against.
  budget ledger.micro_usd NOT NULL,
  PRIMARY KEY (network, day, part)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Grants to new wallets of one network of clients, by UTC day.
CREATE TABLE ledger.grant_scope (
  network ledger.network NOT NULL,
  day date NOT NULL,
  scope ledger.name NOT NULL,
  grants integer NOT NULL CHECK (grants >= 0),
  PRIMARY KEY (network, day, scope)
) WITH (fillfactor = 70);

-- Nonces of sign-in proofs that a reserve used, with its first outcome. The nonce authenticates the expiration, so the
-- two together identify a proof. Partitions are days of the expiration, never of the clock: a clock that jumps frees no
-- nonce.
CREATE TABLE ledger.nonce (
  network ledger.network NOT NULL,
  expires_at timestamptz NOT NULL,
  nonce ledger.proof_nonce NOT NULL,
  reservation_id uuid NOT NULL,
  outcome ledger.burnt_outcome NOT NULL,
  -- The balance that was answered.
  balance ledger.micro_usd NOT NULL,
  PRIMARY KEY (network, expires_at, nonce)
) PARTITION BY RANGE (expires_at);

-- Nonces of proofs that expire before this time were dropped. Such a proof is expired, whatever the clock says.
CREATE TABLE ledger.nonce_watermark (
  dropped_until timestamptz NOT NULL,
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);
INSERT INTO ledger.nonce_watermark (dropped_until) VALUES ('-infinity');

-- Open reservations only. A post or a void deletes the row.
CREATE TABLE ledger.reservation (
  id uuid PRIMARY KEY,
  network ledger.network NOT NULL,
  account ledger.account NOT NULL,
  kind ledger.reservation_kind NOT NULL,
  -- Identify the proof of a trial.
  nonce ledger.proof_nonce,
  proof_expires_at timestamptz,
  amount ledger.price NOT NULL,
  operation ledger.name NOT NULL,
  -- The UTC day whose budget the amount is taken from.
  day date,
  reserved_at timestamptz NOT NULL,
  -- When its caller stops waiting. Then a call is voided, and the chain is asked about a refund.
  deadline timestamptz NOT NULL,
  -- The voucher of a call of a channel, as ledger.channel has it.
  signed ledger.micro_usd,
  signature bytea,
  key_id text,
  repeat_key ledger.sha256,
  CHECK ((kind = 'trial') = (nonce IS NOT NULL AND proof_expires_at IS NOT NULL AND day IS NOT NULL)),
  CHECK ((kind = 'channel') = (signed IS NOT NULL AND signature IS NOT NULL AND key_id IS NOT NULL)),
  CHECK (signed >= amount),
  CHECK ((length(account) = 42) = (kind = 'trial'))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE UNIQUE INDEX reservation_alone ON ledger.reservation (account, network) WHERE kind <> 'trial';
CREATE INDEX reservation_deadline ON ledger.reservation (deadline);

-- Channels that were charged or held. The voucher is the latest one.
CREATE TABLE ledger.channel (
  network ledger.network NOT NULL,
  id ledger.bytes32 NOT NULL,
  charged ledger.micro_usd NOT NULL DEFAULT 0,
  -- Sum of the entries that are no longer kept.
  carried ledger.micro_usd NOT NULL DEFAULT 0,
  -- What the voucher allows. More than what is charged only if the call that settled the channel was voided.
  signed ledger.micro_usd NOT NULL DEFAULT 0,
  -- The signature, sealed with the key `key_id`. Null before the first charge.
  signature bytea,
  key_id text,
  -- The voucher before it, which is claimed. The latest stays private, so that it shows who sends it.
  claimable ledger.micro_usd NOT NULL DEFAULT 0,
  claimable_signature bytea,
  claimable_key_id text,
  -- Claims were started with vouchers up to this amount, so anyone may have them.
  published ledger.micro_usd NOT NULL DEFAULT 0,
  -- Hash of the voucher, its request and what only its payer knows. Null: nobody can ask for the answer again.
  repeat_key ledger.sha256,
  -- The call that the voucher was charged for.
  charge_id uuid,
  -- The epoch in which the charges are known to be complete. Until a voucher settles it, nothing else is charged.
  epoch integer NOT NULL DEFAULT 0,
  -- When the first charge was made that can be claimed and is not. Null if there is none.
  unclaimed_since timestamptz,
  PRIMARY KEY (network, id),
  CHECK (carried <= charged AND claimable <= charged AND charged <= signed),
  CHECK ((signed = 0) = (signature IS NULL) AND (signature IS NULL) = (key_id IS NULL)),
  CHECK ((claimable = 0) = (claimable_signature IS NULL)
    AND (claimable_signature IS NULL) = (claimable_key_id IS NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE INDEX channel_unclaimed ON ledger.channel (unclaimed_since) WHERE unclaimed_since IS NOT NULL;

-- What was charged. `recovered`: before the epoch, as a voucher shows. A post has the id of its reservation, so a
-- reservation is charged at most once. Partitions are months of the ids, which begin with their time.
CREATE TABLE ledger.entry (
  id uuid PRIMARY KEY,
  network ledger.network NOT NULL,
  account ledger.account NOT NULL,
  kind ledger.entry_kind NOT NULL,
  amount ledger.price NOT NULL,
  -- The UTC day of a trial.
  day date,
  at timestamptz NOT NULL,
  -- Null for a trial, and for a charge that a voucher recovered.
  operation ledger.name,
  CHECK ((length(account) = 42) = (day IS NOT NULL))
) PARTITION BY RANGE (id);

CREATE INDEX entry_account ON ledger.entry (account);
-- Only entries of channels have no day.
CREATE INDEX entry_of_channel ON ledger.entry (at) WHERE day IS NULL;

CREATE FUNCTION ledger.refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the ledger do not change' USING ERRCODE = '23000';
END $$;
REVOKE ALL ON FUNCTION ledger.refuse_update() FROM PUBLIC;
CREATE TRIGGER entry_is_append_only BEFORE UPDATE OR DELETE ON ledger.entry
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_update();

-- Payers of single payments. The row is locked while a claim of its payer is opened.
CREATE TABLE ledger.payer (
  network ledger.network NOT NULL,
  address ledger.wallet_address NOT NULL,
  -- Times of the recent failures that the payer caused.
  failures timestamptz[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (network, address)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- A payment that pays for a call: executing → retained → settling → settled | failed, and settling → unsent → settling.
-- `retained`: the answer is stored, with the id of the claim. `unsent`: the settlement was refused before anything was
-- sent. A released claim is deleted. It has no signature, header or body, and has secrets only as hashes.
CREATE TABLE ledger.payment_claim (
  claim_id uuid PRIMARY KEY,
  network ledger.network NOT NULL,
  asset ledger.wallet_address NOT NULL,
  payer ledger.wallet_address NOT NULL,
  -- Whom the authorization pays. Later payments may be for another address.
  pay_to ledger.wallet_address NOT NULL,
  -- Of the authorization.
  nonce ledger.bytes32 NOT NULL,
  -- Atomic units of the asset.
  amount ledger.price NOT NULL,
  -- Unix seconds.
  valid_before_s bigint NOT NULL,
  digest ledger.name NOT NULL,
  fingerprint ledger.name NOT NULL,
  offer_secret_hash ledger.name NOT NULL,
  payment_identifier_hash ledger.name,
  -- The block from which to search for the settlement. Null: no chain was known.
  from_block bigint,
  state ledger.claim_state NOT NULL DEFAULT 'executing',
  -- The epoch in which the state was written. In a later one, something may have been sent since.
  epoch integer NOT NULL,
  -- Until when the execution, or the attempt to settle, has the claim for itself.
  lease_until timestamptz NOT NULL,
  attempt uuid,
  -- When to ask again what became of it, and how often that was done.
  due_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- The last signed transaction, noted before it was sent.
  transaction ledger.bytes32,
  -- Of a failed claim: whether the chain proves that it can never settle.
  is_final boolean,
  -- JSON text of an x402 SettleResponse.
  payment_response text,
  created_at timestamptz NOT NULL,
  -- When it was recorded that the claim is settled.
  settled_at timestamptz,
  -- Of a settled claim: the block of its transaction, as it was last seen. Null: not located yet, or no longer in the chain.
  block_number bigint,
  block_hash ledger.bytes32,
  -- When its transaction was first missing from the chain.
  missing_at timestamptz,
  -- When enough blocks were on top of it, or when it was certain that it will never be paid, and why.
  finalized_at timestamptz,
  lost_at timestamptz,
  lost_reason text,
  -- When an operator ended the claim.
  released_at timestamptz,
  -- What the payment paid for.
  operation ledger.name,
  UNIQUE (payer, nonce, network, asset),
  CHECK ((state IN ('settled', 'failed')) = (is_final IS NOT NULL AND payment_response IS NOT NULL)),
  CHECK (is_final OR state <> 'settled'),
  CHECK (due_at IS NULL OR is_final IS NOT TRUE),
  CHECK ((block_number IS NULL) = (block_hash IS NULL) AND (lost_at IS NULL) = (lost_reason IS NULL)),
  CHECK (num_nonnulls(block_number, missing_at, finalized_at, lost_at) = 0 OR state = 'settled'),
  CHECK (finalized_at IS NULL OR lost_at IS NULL)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE INDEX payment_claim_in_flight ON ledger.payment_claim (payer, network, asset)
  WHERE state NOT IN ('settled', 'failed');
CREATE INDEX payment_claim_settled ON ledger.payment_claim (payer, settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX payment_claim_settled_at ON ledger.payment_claim (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX payment_claim_due ON ledger.payment_claim (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payment_claim_not_final ON ledger.payment_claim (claim_id)
  WHERE state = 'settled' AND finalized_at IS NULL AND lost_at IS NULL;
CREATE INDEX payment_claim_failed ON ledger.payment_claim (claim_id) WHERE state = 'failed';
CREATE INDEX payment_claim_lost ON ledger.payment_claim (claim_id) WHERE lost_at IS NOT NULL;
CREATE INDEX payment_claim_transaction ON ledger.payment_claim (transaction) WHERE transaction IS NOT NULL;

-- Calls by the identifiers that payers chose. A key without a reservation, entry or claim of its id is free, so it has no state
-- of its own. It is kept as long as the answer.
CREATE TABLE ledger.call_key (
  network ledger.network NOT NULL,
  -- The address that signs: a payer, or the authorizer of a channel's vouchers.
  signer ledger.wallet_address NOT NULL,
  identifier_hash ledger.name NOT NULL,
  record_id uuid NOT NULL,
  -- Hash of the request.
  fingerprint ledger.name NOT NULL,
  PRIMARY KEY (network, signer, identifier_hash)
);

CREATE INDEX call_key_record ON ledger.call_key (record_id);

-- Gas of a UTC day that no payment paid for. cause: the payment, the deposit or refund, or the transaction of a batch.
-- account: the address of a payer; `range:` and a keyed hash of the address range that deposits come from; or a sum: `code`,
-- failures of all payers with code; `uncharged`, refunds of channels that were never charged; `deposits`, all deposits.
CREATE TABLE ledger.spent_gas (
  network ledger.network NOT NULL,
  cause text NOT NULL,
  account text NOT NULL CHECK (account IN ('code', 'uncharged', 'deposits') OR account ~ '^(0x[0-9a-f]{40}|range:[0-9a-f]{64})$'),
  day date NOT NULL,
  -- Counted.
  gas bigint NOT NULL CHECK (gas >= 0),
  -- The gas limit of a transaction whose outcome is not known.
  on_its_way bigint NOT NULL CHECK (on_its_way >= 0),
  CONSTRAINT spent_gas_pkey PRIMARY KEY (network, cause, account)
);
CREATE INDEX spent_gas_by_day ON ledger.spent_gas (day, network, account) INCLUDE (gas, on_its_way);

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

-- The releases that use the ledger's functions, the last to start being the newest. Each has its functions in a schema of
-- its own.
CREATE TABLE ledger.release (
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  functions_schema text PRIMARY KEY CHECK (functions_schema ~ '^ledger_[0-9a-f]{12}$')
);
