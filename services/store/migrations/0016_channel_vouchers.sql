-- Up Migration

-- Calls that the voucher of a channel pays for are retained as trials are: the wallet is the id of the channel, and the nonce
-- is the voucher. All rows that exist meet the new conditions, so they are not read again.
ALTER TABLE retained_body DROP CONSTRAINT retained_body_access_check;
ALTER TABLE retained_body ADD CONSTRAINT retained_body_access_check
  CHECK (access IN ('trial', 'payment', 'channel')) NOT VALID;
ALTER TABLE retained_body_held DROP CONSTRAINT retained_body_held_access_check;
ALTER TABLE retained_body_held ADD CONSTRAINT retained_body_held_access_check
  CHECK (access IN ('trial', 'payment', 'channel')) NOT VALID;

-- The highest voucher of each channel whose call was retained. What the channel was charged is claimed with it on the chain,
-- so it is stored in the same transaction as the call, and before the charge.
CREATE TABLE channel_voucher (
  -- 32 bytes, hexadecimal with 0x.
  channel_id text PRIMARY KEY CHECK (channel_id ~ '^0x[0-9a-f]{64}$'),
  cumulative_micro_usd bigint NOT NULL CHECK (cumulative_micro_usd > 0),
  signature bytea NOT NULL CHECK (length(signature) = 65),
  record_id uuid NOT NULL,
  -- When the first voucher was stored that was not claimed yet.
  unclaimed_since timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The claimed total that the contract showed last.
  claimed_micro_usd bigint NOT NULL DEFAULT 0
);

CREATE INDEX channel_voucher_unclaimed ON channel_voucher (unclaimed_since)
  WHERE cumulative_micro_usd > claimed_micro_usd;

-- Down Migration

DROP TABLE channel_voucher;
ALTER TABLE retained_body_held DROP CONSTRAINT retained_body_held_access_check;
ALTER TABLE retained_body_held ADD CONSTRAINT retained_body_held_access_check CHECK (access IN ('trial', 'payment'));
ALTER TABLE retained_body DROP CONSTRAINT retained_body_access_check;
ALTER TABLE retained_body ADD CONSTRAINT retained_body_access_check CHECK (access IN ('trial', 'payment'));
