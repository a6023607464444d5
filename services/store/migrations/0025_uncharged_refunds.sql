-- `uncharged`: all refunds of channels that were never charged, together.
ALTER TABLE ledger.spent_gas DROP CONSTRAINT spent_gas_account_check,
  ADD CONSTRAINT spent_gas_account_check CHECK (account IN ('code', 'uncharged') OR account ~ '^0x[0-9a-f]{40}$');
