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

-- The tenant of the transaction. The service sets it from the caller's key only.
CREATE FUNCTION verification.current_tenant() RETURNS uuid LANGUAGE sql STABLE
  RETURN nullif(current_setting('tollhouse.tenant_id', true), '')::uuid;

-- Tenants and keys belong to the operator. The service cannot read them. It can only look up a key with `authenticate`.
CREATE TABLE verification.tenant (
  tenant_id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name <> ''),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE verification.api_key (
  key_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  role text NOT NULL CHECK (role IN ('agent', 'approver', 'reader')),
  -- SHA-256. A key has 256 random bits, so it needs no slow hash.
  key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz
);

CREATE FUNCTION verification.authenticate(wanted bytea) RETURNS TABLE (key_id uuid, tenant_id uuid, role text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT key.key_id, key.tenant_id, key.role FROM verification.api_key AS key
    WHERE key.key_hash = wanted AND key.revoked_at IS NULL;
  END;
REVOKE ALL ON FUNCTION verification.authenticate(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verification.authenticate(bytea) TO tollhouse_verification;

-- One row for each applied write: the hash of its request, and its answer.
CREATE TABLE verification.guarded_mutation (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  idempotency_key text NOT NULL CHECK (idempotency_key ~ '^[!-~]{1,255}$'),
  request_hash text NOT NULL CHECK (request_hash ~ '^[0-9a-f]{64}$'),
  answer text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, idempotency_key)
);
ALTER TABLE verification.guarded_mutation ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.guarded_mutation FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_reads ON verification.guarded_mutation FOR SELECT TO tollhouse_verification
  USING (tenant_id = verification.current_tenant());
CREATE POLICY tenant_adds ON verification.guarded_mutation FOR INSERT TO tollhouse_verification
  WITH CHECK (tenant_id = verification.current_tenant());
-- An answer is written once.
CREATE POLICY tenant_answers ON verification.guarded_mutation FOR UPDATE TO tollhouse_verification
  USING (tenant_id = verification.current_tenant() AND answer IS NULL)
  WITH CHECK (tenant_id = verification.current_tenant());
GRANT SELECT, INSERT, UPDATE (answer) ON verification.guarded_mutation TO tollhouse_verification;

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
