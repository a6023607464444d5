-- The first withdrawal of an approval of a plan. It ends the plan.
CREATE TABLE verification.plan_withdrawal (
  tenant_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  withdrawn_by uuid NOT NULL,
  withdrawn_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, plan_id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES verification.plan
);
ALTER TABLE verification.plan_withdrawal ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.plan_withdrawal FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.plan_withdrawal TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
GRANT SELECT, INSERT ON verification.plan_withdrawal TO tollhouse_verification;
CREATE POLICY owner_reads ON verification.plan_withdrawal FOR SELECT TO CURRENT_USER USING (true);

-- When a key of the tenant was revoked. It has the rights of its owner, because the service does not read keys.
CREATE FUNCTION verification.key_revoked_at(wanted uuid) RETURNS timestamptz
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT key.revoked_at FROM verification.api_key AS key
    WHERE key.key_id = wanted AND key.tenant_id = verification.current_tenant();
  END;
REVOKE ALL ON FUNCTION verification.key_revoked_at(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verification.key_revoked_at(uuid) TO tollhouse_verification;
