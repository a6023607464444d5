-- Every record belongs to a tenant, and the service sees only the rows of the transaction's tenant. Documents are text
-- in canonical form (JCS): the stored bytes are the bytes that were hashed.

CREATE DOMAIN verification.sha256 AS text CHECK (VALUE ~ '^[0-9a-f]{64}$');

-- The form of times in records and answers: RFC 3339, UTC, with microseconds.
CREATE FUNCTION verification.to_text(moment timestamptz) RETURNS text LANGUAGE sql STABLE
  RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

CREATE TABLE verification.plan (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  plan_id uuid NOT NULL,
  document text NOT NULL,
  plan_hash verification.sha256 NOT NULL,
  lint text NOT NULL,
  expires_at timestamptz NOT NULL,
  supersedes uuid,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, plan_id),
  FOREIGN KEY (tenant_id, supersedes) REFERENCES verification.plan
);
CREATE INDEX plan_supersedes ON verification.plan (tenant_id, supersedes) WHERE supersedes IS NOT NULL;

-- An execution locks this row, and so does the approval of a successor. The two cannot happen at the same time.
CREATE TABLE verification.approval (
  tenant_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  plan_hash verification.sha256 NOT NULL,
  proposed_by uuid NOT NULL,
  approved_by uuid NOT NULL CHECK (approved_by <> proposed_by),
  approved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  executions integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, plan_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);

-- The question and the result of a check. Neither changes.
CREATE TABLE verification.plan_check (
  tenant_id uuid NOT NULL,
  check_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('plan_alignment', 'constraints')),
  mode text NOT NULL CHECK (mode IN ('prefix', 'complete', 'recorded')),
  execution_id uuid CHECK ((execution_id IS NOT NULL) = (mode = 'recorded')),
  actions text NOT NULL,
  intents_hash verification.sha256 NOT NULL,
  result text NOT NULL,
  verdict text NOT NULL,
  created_by uuid NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, check_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);

CREATE TABLE verification.execution (
  tenant_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  -- Each check admits one execution.
  alignment_check_id uuid NOT NULL,
  constraints_check_id uuid NOT NULL,
  actions text NOT NULL,
  execution_hash verification.sha256 NOT NULL,
  created_by uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL CHECK (state IN ('recorded', 'evidence_submitted', 'verified', 'refuted')),
  PRIMARY KEY (tenant_id, execution_id),
  UNIQUE (tenant_id, alignment_check_id),
  UNIQUE (tenant_id, constraints_check_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.approval,
  FOREIGN KEY (tenant_id, alignment_check_id) REFERENCES verification.plan_check,
  FOREIGN KEY (tenant_id, constraints_check_id) REFERENCES verification.plan_check
);
ALTER TABLE verification.plan_check
  ADD FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution;

CREATE TABLE verification.action (
  tenant_id uuid NOT NULL,
  action_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  seq integer NOT NULL,
  tool text NOT NULL,
  -- The identity of an act that moves money. An act is recorded once, even if it is reported again or with another
  -- version of its tool.
  identity text,
  PRIMARY KEY (tenant_id, action_id),
  UNIQUE (tenant_id, execution_id, seq),
  CONSTRAINT action_identity UNIQUE (tenant_id, tool, identity),
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);

CREATE TABLE verification.artifact (
  tenant_id uuid NOT NULL,
  artifact_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  action_id uuid NOT NULL,
  kind text NOT NULL,
  media_type text NOT NULL,
  sha256 verification.sha256 NOT NULL,
  content bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, artifact_id),
  -- The same bytes are evidence for one action only.
  CONSTRAINT artifact_bytes UNIQUE (tenant_id, sha256),
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution,
  FOREIGN KEY (tenant_id, action_id) REFERENCES verification.action
);
CREATE INDEX artifact_execution ON verification.artifact (tenant_id, execution_id);

CREATE TABLE verification.verification (
  tenant_id uuid NOT NULL,
  verification_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  inputs_hash verification.sha256 NOT NULL,
  answer text NOT NULL,
  created_by uuid NOT NULL,
  verified_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, verification_id),
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);

CREATE TABLE verification.proof (
  tenant_id uuid NOT NULL,
  proof_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  log_index bigint NOT NULL UNIQUE,
  file text NOT NULL,
  PRIMARY KEY (tenant_id, proof_id),
  UNIQUE (tenant_id, execution_id),
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);

-- The service may add and read records. It may change only the columns that are granted below.
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['plan', 'approval', 'plan_check', 'execution', 'action', 'artifact', 'verification', 'proof'] LOOP
    EXECUTE format('ALTER TABLE verification.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE verification.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant_rows ON verification.%I TO tollhouse_verification'
      ' USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT ON verification.%I TO tollhouse_verification', name);
    -- Row-level security binds an owner that is not a superuser. The owner needs this policy for count_records.
    EXECUTE format('CREATE POLICY owner_reads ON verification.%I FOR SELECT TO CURRENT_USER USING (true)', name);
  END LOOP;
END $$;
CREATE POLICY owner_reads ON verification.guarded_mutation FOR SELECT TO CURRENT_USER USING (true);
GRANT UPDATE (executions) ON verification.approval TO tollhouse_verification;
GRANT UPDATE (state) ON verification.execution TO tollhouse_verification;

-- The Merkle log of all proofs. It has hashes only, and no data of tenants. Nodes are only added. An append locks the
-- head.
CREATE TABLE verification.log_node (
  level smallint NOT NULL,
  index bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (level, index)
);
CREATE TABLE verification.log_head (
  size bigint NOT NULL,
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
INSERT INTO verification.log_head (size) VALUES (0);
GRANT SELECT, INSERT ON verification.log_node TO tollhouse_verification;
GRANT SELECT, UPDATE (size) ON verification.log_head TO tollhouse_verification;

-- The status check writes this row and reads it back, to find out whether the store works.
CREATE TABLE verification.probe (
  value uuid NOT NULL,
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
INSERT INTO verification.probe (value) VALUES (gen_random_uuid());
GRANT SELECT, UPDATE (value) ON verification.probe TO tollhouse_verification;

-- The numbers of records of all tenants together. The service learns nothing else about other tenants.
CREATE FUNCTION verification.count_records()
  RETURNS TABLE (plans bigint, executions bigint, proofs bigint, mutations bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT (SELECT count(*) FROM verification.plan), (SELECT count(*) FROM verification.execution),
      (SELECT count(*) FROM verification.proof), (SELECT count(*) FROM verification.guarded_mutation);
  END;
REVOKE ALL ON FUNCTION verification.count_records() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verification.count_records() TO tollhouse_verification;
