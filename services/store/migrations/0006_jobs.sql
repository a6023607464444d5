-- Work that continues after its caller has left. The row is the job.
CREATE TABLE job (
  job_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  idempotency_key text NOT NULL CHECK (idempotency_key ~ '^[!-~]{1,255}$'),
  -- tollhouse.verification.v1.Caller and tollhouse.jobs.v1.Work, in the JSON encoding of protobuf.
  caller jsonb NOT NULL,
  work jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  -- How much of its retry budget the job has used for temporary failures.
  spent integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When the job may start. For a running job, this is when the lease of its attempt ends.
  due_at timestamptz DEFAULT clock_timestamp(),
  -- The id of the running attempt. Results of other attempts are dropped.
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

-- The renewal of a lease causes no notification, because nobody waits for it.
CREATE TRIGGER job_changed AFTER UPDATE OF state, attempts ON job FOR EACH ROW EXECUTE FUNCTION notify_job_changed();

-- The operator's page counts these every few seconds, so it must not read whole tables.
CREATE INDEX job_failed ON job (ended_at DESC) WHERE state = 'failed';
