-- The releases that use the ledger's functions, the last to start being the newest. Each has its functions in a schema of
-- its own.
CREATE TABLE ledger.release (
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  functions_schema text PRIMARY KEY CHECK (functions_schema ~ '^ledger_[0-9a-f]{12}$')
);
