-- How a call was paid for.
CREATE DOMAIN call_access AS text CHECK (VALUE IN ('trial', 'payment', 'channel'));

-- Bodies of executed calls, encrypted by the back office. Each UTC day has a partition, and the service deletes bodies
-- by dropping their partition.
CREATE TABLE retained_body (
  day date NOT NULL,
  record_id uuid NOT NULL,
  access call_access NOT NULL,
  operation text NOT NULL,
  key_id text NOT NULL,
  request_body bytea NOT NULL,
  response_body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The X-Request-Id of the call.
  request_id uuid,
  PRIMARY KEY (day, record_id)
) PARTITION BY RANGE (day);

-- What is sealed cannot be compressed.
ALTER TABLE retained_body ALTER request_body SET STORAGE EXTERNAL, ALTER response_body SET STORAGE EXTERNAL;
CREATE INDEX retained_body_request_id ON retained_body (request_id) WHERE request_id IS NOT NULL;

-- Bodies that are due for deletion but whose payment is still open. They are moved here before the partition of
-- their day is dropped, and deleted once nothing is open.
CREATE TABLE retained_body_held (
  record_id uuid PRIMARY KEY,
  day date NOT NULL,
  access call_access NOT NULL,
  operation text NOT NULL,
  key_id text NOT NULL,
  request_body bytea NOT NULL,
  response_body bytea NOT NULL,
  created_at timestamptz NOT NULL,
  request_id uuid
);

CREATE INDEX retained_body_held_request_id ON retained_body_held (request_id) WHERE request_id IS NOT NULL;

-- The keys with which a back office has started. It needs them again while they have sealed rows.
CREATE TABLE retention_key (
  key_id text PRIMARY KEY,
  -- HMAC-SHA256 of a fixed text under the key. It shows which key has an id, and reveals nothing about the key.
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
