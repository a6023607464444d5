-- Descriptions of tools, which plans of format 2 name by hash. A description is never changed or deleted. Those of the
-- operator are for all tenants.
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

-- The group of the key that proposed a plan, which cannot approve it. Null for plans from before this migration.
ALTER TABLE verification.plan ADD COLUMN proposer_group text CHECK (proposer_group ~ '^[A-Za-z0-9_.:-]{1,64}$');

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

DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['tool', 'plan_table', 'plan_approver', 'limit_use'] LOOP
    EXECUTE format('ALTER TABLE verification.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE verification.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant_rows ON verification.%I TO tollhouse_verification'
      ' USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT ON verification.%I TO tollhouse_verification', name);
    EXECUTE format('CREATE POLICY owner_reads ON verification.%I FOR SELECT TO CURRENT_USER USING (true)', name);
  END LOOP;
END $$;
-- Counters only grow, and are deleted after their window.
GRANT UPDATE (used), DELETE ON verification.limit_use TO tollhouse_verification;
CREATE POLICY ended ON verification.limit_use AS RESTRICTIVE FOR DELETE TO tollhouse_verification
  USING (begins_at < clock_timestamp() - interval '8 days');
