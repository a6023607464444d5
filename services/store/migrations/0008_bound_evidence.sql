-- Row-level security would hide the rows from the owner's updates below, unless the owner is a superuser.
ALTER TABLE verification.action NO FORCE ROW LEVEL SECURITY;
ALTER TABLE verification.plan_check NO FORCE ROW LEVEL SECURITY;
ALTER TABLE verification.execution NO FORCE ROW LEVEL SECURITY;

-- Tool names that people can mistake for each other count as one name: an act that moves money has one identity under
-- all of them. If an act was recorded twice before this migration, only the first record gets the folded name.
ALTER TABLE verification.action ADD COLUMN tool_folded text;
WITH folded AS (
  SELECT tenant_id, action_id, identity,
    translate(lower(tool COLLATE "C"), '01i._:-', 'oll') AS name
  FROM verification.action
), numbered AS (
  SELECT tenant_id, action_id, name,
    row_number() OVER (PARTITION BY tenant_id, name, identity ORDER BY action_id) AS place, identity
  FROM folded
)
UPDATE verification.action SET tool_folded = numbered.name FROM numbered
WHERE action.tenant_id = numbered.tenant_id AND action.action_id = numbered.action_id
  AND (numbered.place = 1 OR numbered.identity IS NULL);
ALTER TABLE verification.action DROP CONSTRAINT action_identity;
ALTER TABLE verification.action ADD CONSTRAINT action_identity UNIQUE (tenant_id, tool_folded, identity);

-- The digest of the JSON value of an artifact, if it is JSON. Earlier artifacts have none.
ALTER TABLE verification.artifact ADD COLUMN json_sha256 verification.sha256;
-- Evidence can be replaced while its execution is open. The old artifact is kept and no longer counts.
ALTER TABLE verification.artifact ADD COLUMN replaces uuid;
ALTER TABLE verification.artifact ADD COLUMN is_current boolean NOT NULL DEFAULT true;
ALTER TABLE verification.artifact ADD CONSTRAINT artifact_replaces FOREIGN KEY (tenant_id, replaces)
  REFERENCES verification.artifact;
ALTER TABLE verification.artifact ADD CONSTRAINT artifact_replaced_once UNIQUE (tenant_id, replaces);
-- The same bytes or the same JSON value are evidence for one action only.
ALTER TABLE verification.artifact DROP CONSTRAINT artifact_bytes;
CREATE UNIQUE INDEX artifact_bytes ON verification.artifact (tenant_id, sha256) WHERE is_current;
CREATE UNIQUE INDEX artifact_json ON verification.artifact (tenant_id, json_sha256) WHERE is_current;
GRANT UPDATE (is_current) ON verification.artifact TO tollhouse_verification;
-- A replacement is final, and the evidence of a closed execution cannot change.
CREATE POLICY replaced_once ON verification.artifact AS RESTRICTIVE FOR UPDATE TO tollhouse_verification
  USING (is_current AND EXISTS (
    SELECT FROM verification.execution
    WHERE execution.tenant_id = artifact.tenant_id AND execution.execution_id = artifact.execution_id
      AND execution.state IN ('recorded', 'evidence_submitted')
  )) WITH CHECK (NOT is_current);

-- Keys of one group share their checks and executions. A key without a group has its own group, named by its id.
ALTER TABLE verification.api_key ADD COLUMN key_group text CHECK (key_group ~ '^[A-Za-z0-9_.:-]{1,64}$');
UPDATE verification.api_key SET key_group = key_id::text;
ALTER TABLE verification.api_key ALTER COLUMN key_group SET NOT NULL;
DROP FUNCTION verification.authenticate(bytea);
CREATE FUNCTION verification.authenticate(wanted bytea)
  RETURNS TABLE (key_id uuid, tenant_id uuid, role text, scopes text[], key_group text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT key.key_id, key.tenant_id, key.role, key.scopes, key.key_group FROM verification.api_key AS key
    WHERE key.key_hash = wanted AND key.revoked_at IS NULL;
  END;
REVOKE ALL ON FUNCTION verification.authenticate(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verification.authenticate(bytea) TO tollhouse_verification;

-- Checks and executions belong to the group of the key that created them.
ALTER TABLE verification.plan_check ADD COLUMN owner text;
UPDATE verification.plan_check SET owner = created_by::text;
ALTER TABLE verification.plan_check ALTER COLUMN owner SET NOT NULL;
ALTER TABLE verification.execution ADD COLUMN owner text;
UPDATE verification.execution SET owner = created_by::text;
ALTER TABLE verification.execution ALTER COLUMN owner SET NOT NULL;

-- A check of a plan that is not approved yet is a preview. It admits no execution.
ALTER TABLE verification.plan_check ADD COLUMN is_preview boolean;
UPDATE verification.plan_check SET is_preview = mode <> 'recorded' AND NOT EXISTS (
  SELECT FROM verification.approval
  WHERE approval.tenant_id = plan_check.tenant_id AND approval.plan_id = plan_check.plan_id
    AND approval.approved_at < plan_check.checked_at
);
ALTER TABLE verification.plan_check ALTER COLUMN is_preview SET NOT NULL;

ALTER TABLE verification.action FORCE ROW LEVEL SECURITY;
ALTER TABLE verification.plan_check FORCE ROW LEVEL SECURITY;
ALTER TABLE verification.execution FORCE ROW LEVEL SECURITY;
