-- What the whole database has: which releases can use it, and what operators did.

-- The oldest migration that a version of Tollhouse must know to work on this schema. A migration that older versions
-- cannot work with sets it to its own name. So old and new processes can run side by side during an upgrade, and a
-- version that is too old refuses to start.
CREATE TABLE schema_compatibility (
  oldest text NOT NULL,
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);
INSERT INTO schema_compatibility (oldest) VALUES ('0006_jobs');

-- The audit trail of operators: reviews of bodies, refunds, releases, restores. No row is ever changed or deleted.
CREATE TABLE operator_act (
  -- Gapless from 1.
  sequence bigint PRIMARY KEY CHECK (sequence > 0),
  acted_at timestamptz NOT NULL,
  operator text NOT NULL CHECK (operator <> ''),
  -- What was done, such as payments.refund.
  action text NOT NULL CHECK (action ~ '^[a-z]+(\.[a-z-]+)+$'),
  -- The id or address that it was done to.
  subject text NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  -- JSON text.
  detail text NOT NULL,
  -- SHA-256 over this row and the hash of the row before it. A changed or missing row breaks the chain.
  hash bytea NOT NULL CHECK (length(hash) = 32)
);

CREATE INDEX operator_act_subject ON operator_act (subject, sequence);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER operator_act_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_act
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
