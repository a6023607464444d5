-- Up Migration

-- The operator's page counts these every few seconds, so it must not read whole tables.
CREATE INDEX job_failed ON job (ended_at DESC) WHERE state = 'failed';
CREATE INDEX payment_claim_failed ON payment_claim (claim_id) WHERE outcome = 'failed';
CREATE INDEX channel_transaction_refused ON channel_transaction (network, ended_at) WHERE state = 'refused';

-- Entries that gave a new wallet its credit, by day. Field 7 of an entry is the day and 9 the grant (book.lua). Days since
-- 1970 have five digits until 2243, so they can be compared as text.
CREATE INDEX ledger_entry_grant ON ledger_entry (network, split_part(entry, '|', 7))
  WHERE entry LIKE 'reserve|%' AND split_part(entry, '|', 9) <> '0';

-- Down Migration

DROP INDEX ledger_entry_grant, channel_transaction_refused, payment_claim_failed, job_failed;
