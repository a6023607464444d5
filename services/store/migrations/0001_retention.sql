-- Up Migration

-- Bodies of executed calls, encrypted by the back office. One partition a UTC day: dropping it is the deletion.
CREATE TABLE retained_body (
  day date NOT NULL,
  record_id uuid NOT NULL,
  access text NOT NULL CHECK (access IN ('trial', 'payment')),
  operation text NOT NULL,
  key_id text NOT NULL,
  request_body bytea NOT NULL,
  response_body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, record_id)
) PARTITION BY RANGE (day);

-- What must still happen to the money behind a retained call. Written with it, removed when it has happened.
CREATE TABLE obligation (
  record_id uuid PRIMARY KEY,
  access text NOT NULL CHECK (access IN ('trial', 'payment')),
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0
);

CREATE INDEX obligation_due_at ON obligation (due_at);

-- The farthest that each credit ledger was ever seen: a ledger that is behind went back in time.
CREATE TABLE ledger_witness (
  network text PRIMARY KEY,
  epoch text NOT NULL,
  sequence bigint NOT NULL
);

-- Down Migration

DROP TABLE ledger_witness, obligation, retained_body;
