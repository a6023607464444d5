-- The records of verified execution. Every record belongs to a tenant, and the service sees only the rows of the
-- transaction's tenant. Documents are text in canonical form (JCS): the stored bytes are the bytes that were hashed.

-- The role of the verification service. It is neither owner nor superuser, so row-level security binds it. An administrator
-- may have made it (tollhouse database prepare): the owner of the database may lack the right to create roles.
-- Roles belong to the whole server: a migration of another database may have created it, or may create it now.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tollhouse_verification') THEN
    CREATE ROLE tollhouse_verification NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
-- From PostgreSQL 16 on, a role may be a member that may not set the role, such as the one that created it.
DO $$ BEGIN
  IF NOT pg_has_role('tollhouse_verification',
    CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN
    GRANT tollhouse_verification TO CURRENT_USER;
  END IF;
END $$;
-- Servers are often hardened by taking this right from PUBLIC.
GRANT USAGE ON SCHEMA public TO tollhouse_verification;

CREATE SCHEMA verification;
GRANT USAGE ON SCHEMA verification TO tollhouse_verification;

-- A pattern that counts characters takes PostgreSQL ten times as long as a pattern and a length.
CREATE DOMAIN verification.sha256 AS text CHECK (length(VALUE) = 64 AND VALUE ~ '^[0-9a-f]+$');

-- The tenant of the transaction. The service sets it from the caller's key only.
CREATE FUNCTION verification.current_tenant() RETURNS uuid LANGUAGE sql STABLE
  RETURN nullif(current_setting('tollhouse.tenant_id', true), '')::uuid;

-- The form of times in records and answers: RFC 3339, UTC, with microseconds.
CREATE FUNCTION verification.to_text(moment timestamptz) RETURNS text LANGUAGE sql STABLE
  RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Tenants and keys belong to the operator. The service cannot read them. It can only look up a key with `authenticate`.
CREATE TABLE verification.tenant (
  tenant_id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name <> ''),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The status probe writes to the guarded table in a transaction that is rolled back. The table refers to tenants, so
-- the probe has its own tenant. That tenant has no keys, and commands do not list it.
INSERT INTO verification.tenant (tenant_id, name)
VALUES ('00000000-0000-4000-8000-000000000001', 'tollhouse.status-probe');

CREATE TABLE verification.api_key (
  key_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  role text NOT NULL CHECK (role IN ('agent', 'approver', 'reader')),
  -- Keys of one group share their checks and executions. A key without a group has its own group, named by its id.
  key_group text NOT NULL CHECK (key_group ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  -- Data that the key may see in addition to the data of its role.
  scopes text[] NOT NULL DEFAULT '{}' CHECK (scopes <@ ARRAY['crm.email']),
  -- SHA-256. A key has 256 random bits, so it needs no slow hash.
  key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz
);

CREATE FUNCTION verification.authenticate(wanted bytea)
  RETURNS TABLE (key_id uuid, tenant_id uuid, role text, scopes text[], key_group text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT key.key_id, key.tenant_id, key.role, key.scopes, key.key_group FROM verification.api_key AS key
    WHERE key.key_hash = wanted AND key.revoked_at IS NULL;
  END;

-- When a key of the tenant was revoked. It has the rights of its owner, because the service does not read keys.
CREATE FUNCTION verification.key_revoked_at(wanted uuid) RETURNS timestamptz
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT key.revoked_at FROM verification.api_key AS key
    WHERE key.key_id = wanted AND key.tenant_id = verification.current_tenant();
  END;

-- One row for each applied write: the hash of its request, and its answer.
CREATE TABLE verification.guarded_mutation (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  idempotency_key text NOT NULL CHECK (idempotency_key ~ '^[!-~]{1,255}$'),
  request_hash text NOT NULL CHECK (length(request_hash) = 64 AND request_hash ~ '^[0-9a-f]+$'),
  answer text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, idempotency_key)
);
-- The answer of a deleted check is deleted, and its key stays. The id of the check is the first member of the answer, which is
-- canonical JSON.
CREATE INDEX guarded_mutation_check ON verification.guarded_mutation (tenant_id, substr(answer, 14, 36))
  WHERE starts_with(answer, '{"check_id":"');

-- Whether writes that move money are stopped. Such writes share a lock on the row, so a change of the row waits for
-- them.
CREATE TABLE verification.revenue_freeze (
  is_frozen boolean NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- A shared lock on a row needs the right to update one of its columns. This column has no other purpose.
  lock_only boolean PRIMARY KEY DEFAULT true CHECK (lock_only)
);
INSERT INTO verification.revenue_freeze (is_frozen) VALUES (false);
GRANT SELECT, UPDATE (lock_only) ON verification.revenue_freeze TO tollhouse_verification;

-- What plans of format 2 with the same steps and tools have in common: the names of both, without versions. Null for others.
CREATE FUNCTION verification.digest_steps(document text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(line, ',' ORDER BY line COLLATE "C"), 'UTF8')), 'hex')
  FROM (
    SELECT concat_ws(' ', step ->> 'step_id', split_part(step ->> 'tool', '@', 1)) AS line
    FROM json_array_elements(document::json -> 'steps') AS step
    WHERE document::json ->> 'plan_format' = '2') AS lines
$$;

CREATE TABLE verification.plan (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  plan_id uuid NOT NULL,
  document text NOT NULL,
  plan_hash verification.sha256 NOT NULL,
  lint text NOT NULL,
  expires_at timestamptz NOT NULL,
  supersedes uuid,
  created_by uuid NOT NULL,
  -- The group of the key that proposed the plan, which cannot approve it.
  proposer_group text NOT NULL CHECK (proposer_group ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  steps_digest text GENERATED ALWAYS AS (verification.digest_steps(document)) STORED,
  PRIMARY KEY (tenant_id, plan_id),
  FOREIGN KEY (tenant_id, supersedes) REFERENCES verification.plan
);
CREATE INDEX plan_supersedes ON verification.plan (tenant_id, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX plan_alike ON verification.plan (tenant_id, steps_digest, plan_id);

-- One row for each key that approved a plan. `approval` has the plan once as many approved as it needs.
CREATE TABLE verification.plan_approver (
  tenant_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  plan_hash verification.sha256 NOT NULL,
  approved_by uuid NOT NULL,
  approver_group text NOT NULL,
  approved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, plan_id, approved_by),
  -- Keys of one group count as one approver.
  CONSTRAINT plan_approver_group UNIQUE (tenant_id, plan_id, approver_group),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);

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

-- The first withdrawal of an approval of a plan. It ends the plan.
CREATE TABLE verification.plan_withdrawal (
  tenant_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  withdrawn_by uuid NOT NULL,
  withdrawn_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, plan_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);

-- The rejection of a draft. It ends the plan.
CREATE TABLE verification.plan_rejection (
  tenant_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  rejected_by uuid NOT NULL,
  reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
  rejected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
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
  -- A check of a plan that is not approved yet is a preview. It admits no execution.
  is_preview boolean NOT NULL,
  created_by uuid NOT NULL,
  -- The group of that key.
  owner text NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, check_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);
CREATE INDEX plan_check_age ON verification.plan_check (checked_at);

CREATE TABLE verification.execution (
  tenant_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  -- Each check admits one execution.
  alignment_check_id uuid NOT NULL,
  constraints_check_id uuid NOT NULL,
  actions text NOT NULL,
  execution_hash verification.sha256 NOT NULL,
  -- The place of the execution among those of its plan, in the order of the plan's lock, from 1. Only for plans with rules over
  -- their runs, and null for executions that are too many or too large for such rules.
  run integer CHECK (run > 0),
  created_by uuid NOT NULL,
  -- The group of that key.
  owner text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL CHECK (state IN ('recorded', 'evidence_submitted', 'verified', 'refuted')),
  PRIMARY KEY (tenant_id, execution_id),
  UNIQUE (tenant_id, alignment_check_id),
  UNIQUE (tenant_id, constraints_check_id),
  CONSTRAINT execution_run UNIQUE (tenant_id, plan_id, run),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.approval,
  FOREIGN KEY (tenant_id, alignment_check_id) REFERENCES verification.plan_check,
  FOREIGN KEY (tenant_id, constraints_check_id) REFERENCES verification.plan_check
);
ALTER TABLE verification.plan_check
  ADD FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution;
-- Executions of a plan, and their proofs, are listed by it.
CREATE INDEX execution_plan ON verification.execution (tenant_id, plan_id, execution_id);

CREATE TABLE verification.action (
  tenant_id uuid NOT NULL,
  action_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  seq integer NOT NULL,
  tool text NOT NULL,
  -- Tool names that people can mistake for each other count as one name: an act that moves money has one identity under
  -- all of them.
  tool_folded text NOT NULL,
  -- The identity of an act that moves money. An act is recorded once, even if it is reported again or with another
  -- version of its tool.
  identity text,
  PRIMARY KEY (tenant_id, action_id),
  UNIQUE (tenant_id, execution_id, seq),
  CONSTRAINT action_identity UNIQUE (tenant_id, tool_folded, identity),
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);

-- What was found out later about actions that were recorded without a response: each is done, with this response. The action as
-- recorded stays.
CREATE TABLE verification.settlement (
  tenant_id uuid NOT NULL,
  action_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  seq integer NOT NULL,
  -- JSON.
  response text NOT NULL,
  -- Hash of the actions of the execution since then.
  execution_hash verification.sha256 NOT NULL,
  -- The first run of the plan that was recorded after the settlement, and sees it.
  seen_from integer CHECK (seen_from > 0),
  settled_by uuid NOT NULL,
  settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, action_id),
  FOREIGN KEY (tenant_id, action_id) REFERENCES verification.action,
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);
CREATE INDEX settlement_execution ON verification.settlement (tenant_id, execution_id);

CREATE TABLE verification.artifact (
  tenant_id uuid NOT NULL,
  artifact_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  action_id uuid NOT NULL,
  kind text NOT NULL,
  media_type text NOT NULL,
  sha256 verification.sha256 NOT NULL,
  -- The digest of the JSON value, if it is JSON.
  json_sha256 verification.sha256,
  content bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Evidence can be replaced while its execution is open. The old artifact is kept and no longer counts.
  replaces uuid,
  is_current boolean NOT NULL DEFAULT true,
  PRIMARY KEY (tenant_id, artifact_id),
  CONSTRAINT artifact_replaced_once UNIQUE (tenant_id, replaces),
  CONSTRAINT artifact_replaces FOREIGN KEY (tenant_id, replaces) REFERENCES verification.artifact,
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution,
  FOREIGN KEY (tenant_id, action_id) REFERENCES verification.action
);
CREATE INDEX artifact_execution ON verification.artifact (tenant_id, execution_id);
-- The same bytes or the same JSON value are evidence for one action only.
CREATE UNIQUE INDEX artifact_bytes ON verification.artifact (tenant_id, sha256) WHERE is_current;
CREATE UNIQUE INDEX artifact_json ON verification.artifact (tenant_id, json_sha256) WHERE is_current;

-- Why an execution was refuted when it was recorded. It is kept, and never proven.
CREATE TABLE verification.refusal (
  tenant_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  -- JSON.
  reasons text NOT NULL,
  refused_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, execution_id),
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);
CREATE INDEX refusal_plan ON verification.refusal (tenant_id, plan_id, refused_at);

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

-- Sheets are reusable rules, which plans name by hash. A sheet is never changed or deleted.
CREATE TABLE verification.sheet (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  -- `.` and `..` are not possible in a path, and `Tollhouse.x` looks like a sheet of the service.
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9_.:-]{1,64}$' AND name NOT IN ('.', '..')
    AND NOT starts_with(lower(name), 'tollhouse.')),
  version text NOT NULL,
  title text NOT NULL,
  document text NOT NULL,
  sha256 verification.sha256 NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, name, version)
);

-- Descriptions of tools, which plans name by hash. A description is never changed or deleted. Those of the operator are
-- for all tenants.
CREATE TABLE verification.operator_tool (
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  version text NOT NULL,
  name_folded text NOT NULL,
  effect text NOT NULL CHECK (effect IN ('none', 'write', 'revenue_write')),
  -- JSON pointer to the identity of an act in the response.
  identity_at text CHECK ((identity_at IS NOT NULL) OR effect <> 'revenue_write'),
  document text NOT NULL,
  sha256 verification.sha256 NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (name, version)
);
CREATE INDEX operator_tool_hash ON verification.operator_tool (sha256);
GRANT SELECT ON verification.operator_tool TO tollhouse_verification;

CREATE TABLE verification.tool (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  version text NOT NULL,
  name_folded text NOT NULL,
  effect text NOT NULL CHECK (effect IN ('none', 'write', 'revenue_write')),
  identity_at text CHECK ((identity_at IS NOT NULL) OR effect <> 'revenue_write'),
  document text NOT NULL,
  sha256 verification.sha256 NOT NULL,
  -- Null: the operator imported it for the tenant.
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, name, version)
);
CREATE INDEX tool_hash ON verification.tool (tenant_id, sha256);

-- Tables of plans: texts of JSON lines, which plans name by the hash of their bytes.
CREATE TABLE verification.plan_table (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  sha256 verification.sha256 NOT NULL,
  rows integer NOT NULL CHECK (rows BETWEEN 0 AND 100000),
  content bytea NOT NULL CHECK (length(content) <= 16777216),
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, sha256)
);

-- What the acts of a tool used up in a calendar hour, day or week: the sum of an argument, or their number. Versions of
-- a tool share the row, so that a new version does not begin at zero.
CREATE TABLE verification.limit_use (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  tool_folded text NOT NULL,
  -- The argument that is added up; empty if acts are counted.
  summed text NOT NULL,
  -- The argument for each value of which it is counted; empty for all acts together.
  per text NOT NULL,
  -- SHA-256 of that value; empty for all acts together.
  per_value text NOT NULL,
  within text NOT NULL CHECK (within IN ('hour', 'day', 'week')),
  begins_at timestamptz NOT NULL,
  used numeric NOT NULL CHECK (used >= 0),
  PRIMARY KEY (tenant_id, tool_folded, summed, per, per_value, within, begins_at)
);
CREATE INDEX limit_use_age ON verification.limit_use (tenant_id, begins_at);

-- What an act may count before it is done. An expired row counts nothing, and is deleted with a later reservation of its tenant.
CREATE TABLE verification.reservation (
  tenant_id uuid NOT NULL,
  reservation_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  -- The group of the key that reserved, and its name for the run; empty if it has none.
  owner text NOT NULL,
  run text NOT NULL,
  -- Of the act alone.
  intents_hash text NOT NULL,
  -- JSON: for each counter of a limit, what the act adds, the least limit, and the end of the window.
  counts jsonb NOT NULL,
  -- Whether the run may still use one of the executions of its plan.
  holds_execution boolean NOT NULL DEFAULT true,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, reservation_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);
CREATE INDEX reservation_expiry ON verification.reservation (tenant_id, expires_at);
CREATE INDEX reservation_plan ON verification.reservation (tenant_id, plan_id);

-- Users of tenants without an external CRM. The operator imports them, and the service reads them. Searches use the two
-- folded columns. They have the form in which the service compares text, so the locale of the database does not matter.
CREATE TABLE verification.crm_user (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  -- Sorted by code point, so that the order of pages is the same on every server.
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  email text,
  active boolean NOT NULL,
  -- A name contains no address: some callers may search names and must not find addresses.
  name_folded text NOT NULL CHECK (strpos(name_folded, '@') = 0),
  email_folded text CHECK ((email_folded IS NULL) = (email IS NULL)),
  PRIMARY KEY (tenant_id, user_id)
);

-- Events that the webhook has not taken yet. Each is written in the transaction of what it tells. The service only adds them;
-- the back office sends and deletes them, as the owner.
CREATE TABLE verification.webhook_event (
  event_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  -- JSON: ids and codes.
  data text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX webhook_event_due ON verification.webhook_event (due_at);
CREATE INDEX webhook_event_age ON verification.webhook_event (created_at);

-- The service may add and read records of its tenant. Row-level security binds also an owner that is not a superuser: the
-- owner needs a policy to count and to list records.
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['plan', 'plan_approver', 'approval', 'plan_withdrawal', 'plan_rejection', 'plan_check',
    'execution', 'action', 'settlement', 'artifact', 'refusal', 'verification', 'proof', 'sheet', 'tool', 'plan_table',
    'limit_use', 'reservation', 'guarded_mutation', 'crm_user', 'webhook_event'] LOOP
    EXECUTE format('ALTER TABLE verification.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE verification.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant_rows ON verification.%I TO tollhouse_verification'
      ' USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT ON verification.%I TO tollhouse_verification', name);
    EXECUTE format('CREATE POLICY owner_reads ON verification.%I FOR SELECT TO CURRENT_USER USING (true)', name);
  END LOOP;
END $$;

-- What the service may do beyond that, or may not do.
GRANT UPDATE (executions) ON verification.approval TO tollhouse_verification;
GRANT UPDATE (state) ON verification.execution TO tollhouse_verification;
GRANT DELETE, UPDATE (holds_execution) ON verification.reservation TO tollhouse_verification;
REVOKE INSERT ON verification.crm_user FROM tollhouse_verification;
REVOKE SELECT ON verification.webhook_event FROM tollhouse_verification;
-- An answer is written once.
GRANT UPDATE (answer) ON verification.guarded_mutation TO tollhouse_verification;
CREATE POLICY answered_once ON verification.guarded_mutation AS RESTRICTIVE FOR UPDATE TO tollhouse_verification
  USING (answer IS NULL) WITH CHECK (true);
-- A replacement is final, and the evidence of a closed execution cannot change.
GRANT UPDATE (is_current) ON verification.artifact TO tollhouse_verification;
CREATE POLICY replaced_once ON verification.artifact AS RESTRICTIVE FOR UPDATE TO tollhouse_verification
  USING (is_current AND EXISTS (
    SELECT FROM verification.execution
    WHERE execution.tenant_id = artifact.tenant_id AND execution.execution_id = artifact.execution_id
      AND execution.state IN ('recorded', 'evidence_submitted')
  )) WITH CHECK (NOT is_current);
-- An act that is settled gets its identity once.
GRANT UPDATE (identity) ON verification.action TO tollhouse_verification;
CREATE POLICY identified_once ON verification.action AS RESTRICTIVE FOR UPDATE TO tollhouse_verification
  USING (identity IS NULL AND EXISTS (
    SELECT FROM verification.settlement
    WHERE settlement.tenant_id = action.tenant_id AND settlement.action_id = action.action_id
  )) WITH CHECK (identity IS NOT NULL);
-- A process of an older release, which does not know refusals, proves no refused execution.
CREATE POLICY not_refused ON verification.proof AS RESTRICTIVE FOR INSERT TO tollhouse_verification
  WITH CHECK (NOT EXISTS (
    SELECT FROM verification.refusal
    WHERE refusal.tenant_id = proof.tenant_id AND refusal.execution_id = proof.execution_id
  ));
CREATE POLICY not_rejected ON verification.plan_approver AS RESTRICTIVE FOR INSERT TO tollhouse_verification
  WITH CHECK (NOT EXISTS (
    SELECT FROM verification.plan_rejection
    WHERE plan_rejection.tenant_id = plan_approver.tenant_id AND plan_rejection.plan_id = plan_approver.plan_id
  ));
-- Counters only grow, and are deleted after their window.
GRANT UPDATE (used), DELETE ON verification.limit_use TO tollhouse_verification;
CREATE POLICY ended ON verification.limit_use AS RESTRICTIVE FOR DELETE TO tollhouse_verification
  USING (begins_at < clock_timestamp() - interval '8 days');

-- What the operator's processes do as the owner. The back office deletes checks that no execution needs, with their answers,
-- and locks their rows first.
CREATE POLICY owner_deletes ON verification.plan_check FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_locks ON verification.plan_check FOR UPDATE TO CURRENT_USER USING (true) WITH CHECK (false);
CREATE POLICY owner_deletes_answers ON verification.guarded_mutation FOR UPDATE TO CURRENT_USER
  USING (true) WITH CHECK (answer IS NULL);
CREATE POLICY owner_imports ON verification.crm_user TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY owner_sends ON verification.webhook_event TO CURRENT_USER USING (true);

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

-- The epochs of the database in which the log of proofs may be signed. After a restore, the log may lack leaves that were
-- signed. So nothing is signed in a new epoch until an operator lets the log go on.
CREATE TABLE verification.log_epoch (
  epoch integer PRIMARY KEY REFERENCES ledger.epoch,
  -- A log that lost leaves is continued under another name: the configured one and this suffix. The suffix is unique, so
  -- that a second restore of the same backup does not use a name again. Null: no leaf is missing, and the name stays.
  suffix text UNIQUE,
  -- Leaves that the log had at that time.
  size bigint NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO verification.log_epoch (epoch, size) VALUES (0, 0);
GRANT SELECT ON verification.log_epoch TO tollhouse_verification;

-- The database of the latest of these epochs, the current one, and the end of the log's name. It has the rights of its
-- owner, because the service has none in the schema of the ledger.
CREATE FUNCTION verification.read_log_epoch(OUT recorded text, OUT current text, OUT suffix text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT e.identity, ledger.identity(), (
    SELECT n.suffix FROM verification.log_epoch n WHERE n.suffix IS NOT NULL ORDER BY n.epoch DESC LIMIT 1)
  FROM ledger.epoch e WHERE e.number = (SELECT max(l.epoch) FROM verification.log_epoch l)
$$;

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

-- Functions with the rights of their owner.
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['authenticate(bytea)', 'key_revoked_at(uuid)', 'read_log_epoch()', 'count_records()'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION verification.%s FROM PUBLIC', name);
    EXECUTE format('GRANT EXECUTE ON FUNCTION verification.%s TO tollhouse_verification', name);
  END LOOP;
END $$;
