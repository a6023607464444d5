-- Up Migration

-- The epochs of each credit ledger, in their order. A restore begins a new one. Its entries continue the sequence.
CREATE TABLE ledger_epoch (
  network text NOT NULL,
  -- Gapless from 1.
  generation integer NOT NULL CHECK (generation > 0),
  epoch text NOT NULL,
  -- Sequence of the last entry before this epoch; 0 for the first epoch.
  base bigint NOT NULL CHECK (base >= 0),
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (network, generation),
  UNIQUE (network, epoch)
);

CREATE TRIGGER ledger_epoch_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_epoch
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The copy of the ledger's journal. An entry continues the last one: sequences have no gaps.
CREATE TABLE ledger_entry (
  network text NOT NULL,
  epoch text NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  -- As services/ledger/redis/functions/book.lua describes it.
  entry text NOT NULL,
  copied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (network, epoch, sequence),
  FOREIGN KEY (network, epoch) REFERENCES ledger_epoch (network, epoch)
);

CREATE TRIGGER ledger_entry_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a retained trial reserved, so that its charge can be recovered if Redis loses it. NULL for payments, and for
-- trials that an earlier release retained.
ALTER TABLE retained_body
  ADD COLUMN ledger_network text,
  ADD COLUMN ledger_epoch text,
  ADD COLUMN ledger_sequence bigint,
  ADD COLUMN wallet text,
  ADD COLUMN nonce text,
  ADD COLUMN amount_micro_usd bigint;

-- Down Migration

ALTER TABLE retained_body
  DROP COLUMN ledger_network, DROP COLUMN ledger_epoch, DROP COLUMN ledger_sequence,
  DROP COLUMN wallet, DROP COLUMN nonce, DROP COLUMN amount_micro_usd;
DROP TABLE ledger_entry, ledger_epoch;
