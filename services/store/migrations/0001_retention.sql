-- Bodies of executed calls, encrypted by the back office. Each UTC day has a partition, and the service deletes bodies
-- by dropping their partition.
CREATE TABLE retained_body (
  day date NOT NULL,
  record_id uuid NOT NULL,
  access text NOT NULL CHECK (access IN ('trial', 'payment', 'channel')),
  operation text NOT NULL,
  key_id text NOT NULL,
  request_body bytea NOT NULL,
  response_body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, record_id)
) PARTITION BY RANGE (day);

-- What is sealed cannot be compressed.
ALTER TABLE retained_body ALTER request_body SET STORAGE EXTERNAL, ALTER response_body SET STORAGE EXTERNAL;
