-- Up Migration

-- Work that outlives its caller. The row is the job; the queue in Redis only says when to look at it.
CREATE TABLE job (
  job_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  idempotency_key text NOT NULL CHECK (idempotency_key ~ '^[!-~]{1,255}$'),
  -- tollhouse.verification.v1.Caller and tollhouse.jobs.v1.Work in protobuf's JSON.
  caller jsonb NOT NULL,
  work jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  -- What failures that may pass have cost so far of what one job may spend on them.
  spent integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When it may be begun: of a running job, when the lease of its attempt ends.
  due_at timestamptz DEFAULT clock_timestamp(),
  -- The attempt that runs: what another one brings is not taken.
  lease uuid,
  answer text,
  error_code text,
  error_message text,
  ended_at timestamptz,
  UNIQUE (tenant_id, idempotency_key),
  CHECK ((lease IS NOT NULL) = (state = 'running')),
  CHECK ((ended_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled'))),
  CHECK ((due_at IS NULL) = (ended_at IS NOT NULL)),
  CHECK ((answer IS NOT NULL) = (state = 'succeeded')),
  CHECK ((error_code IS NOT NULL AND error_message IS NOT NULL) = (state = 'failed'))
);

CREATE INDEX job_due_at ON job (due_at) WHERE ended_at IS NULL;
CREATE INDEX job_ended_at ON job (ended_at) WHERE ended_at IS NOT NULL;

CREATE FUNCTION notify_job_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_notify('job_changed', NEW.job_id::text);
  RETURN NULL;
END $$;

-- Renewing a lease is no change that anybody waits for.
CREATE TRIGGER job_changed AFTER UPDATE OF state, attempts ON job FOR EACH ROW EXECUTE FUNCTION notify_job_changed();

-- Down Migration

DROP TABLE job;
DROP FUNCTION notify_job_changed;
