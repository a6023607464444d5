-- Up Migration

-- Every call of a channel updates its voucher. These changes make the update cheaper. A pattern that counts characters takes
-- PostgreSQL ten times as long as a pattern and a length. An index that depends on the sum of a channel needs a new entry for
-- every call.

ALTER TABLE channel_voucher ALTER COLUMN unclaimed_since DROP NOT NULL;
UPDATE channel_voucher SET unclaimed_since = NULL WHERE cumulative_micro_usd <= claimed_micro_usd;
-- Null if all is claimed. Vouchers without a time are never claimed.
ALTER TABLE channel_voucher ADD CONSTRAINT channel_voucher_unclaimed_since_check
  CHECK (cumulative_micro_usd <= claimed_micro_usd OR unclaimed_since IS NOT NULL);
DROP INDEX channel_voucher_unclaimed;
CREATE INDEX channel_voucher_unclaimed ON channel_voucher (unclaimed_since) WHERE unclaimed_since IS NOT NULL;
-- Room for the next version of a row beside the row, so that no index has to change.
ALTER TABLE channel_voucher SET (fillfactor = 50);

-- The new conditions mean the same as the old ones, so existing rows are not read again.
ALTER TABLE channel_voucher DROP CONSTRAINT channel_voucher_channel_id_check;
ALTER TABLE channel_voucher ADD CONSTRAINT channel_voucher_channel_id_check
  CHECK (length(channel_id) = 66 AND channel_id ~ '^0x[0-9a-f]+$') NOT VALID;
ALTER TABLE channel DROP CONSTRAINT channel_channel_id_check;
ALTER TABLE channel ADD CONSTRAINT channel_channel_id_check
  CHECK (length(channel_id) = 66 AND channel_id ~ '^0x[0-9a-f]+$') NOT VALID;
ALTER DOMAIN verification.sha256 DROP CONSTRAINT sha256_check;
ALTER DOMAIN verification.sha256 ADD CONSTRAINT sha256_check
  CHECK (length(VALUE) = 64 AND VALUE ~ '^[0-9a-f]+$') NOT VALID;
ALTER TABLE verification.guarded_mutation DROP CONSTRAINT guarded_mutation_request_hash_check;
ALTER TABLE verification.guarded_mutation ADD CONSTRAINT guarded_mutation_request_hash_check
  CHECK (length(request_hash) = 64 AND request_hash ~ '^[0-9a-f]+$') NOT VALID;

-- Down Migration

ALTER TABLE verification.guarded_mutation DROP CONSTRAINT guarded_mutation_request_hash_check;
ALTER TABLE verification.guarded_mutation ADD CONSTRAINT guarded_mutation_request_hash_check
  CHECK (request_hash ~ '^[0-9a-f]{64}$') NOT VALID;
ALTER DOMAIN verification.sha256 DROP CONSTRAINT sha256_check;
ALTER DOMAIN verification.sha256 ADD CONSTRAINT sha256_check CHECK (VALUE ~ '^[0-9a-f]{64}$') NOT VALID;
ALTER TABLE channel DROP CONSTRAINT channel_channel_id_check;
ALTER TABLE channel ADD CONSTRAINT channel_channel_id_check CHECK (channel_id ~ '^0x[0-9a-f]{64}$') NOT VALID;
ALTER TABLE channel_voucher DROP CONSTRAINT channel_voucher_channel_id_check;
ALTER TABLE channel_voucher ADD CONSTRAINT channel_voucher_channel_id_check
  CHECK (channel_id ~ '^0x[0-9a-f]{64}$') NOT VALID;

ALTER TABLE channel_voucher RESET (fillfactor);
DROP INDEX channel_voucher_unclaimed;
CREATE INDEX channel_voucher_unclaimed ON channel_voucher (unclaimed_since)
  WHERE cumulative_micro_usd > claimed_micro_usd;
ALTER TABLE channel_voucher DROP CONSTRAINT channel_voucher_unclaimed_since_check;
UPDATE channel_voucher SET unclaimed_since = clock_timestamp() WHERE unclaimed_since IS NULL;
ALTER TABLE channel_voucher ALTER COLUMN unclaimed_since SET NOT NULL;
