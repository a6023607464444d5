-- Sheets are reusable rules, which plans name by hash. A sheet is never changed or deleted.
CREATE TABLE verification.sheet (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9_.:-]{1,64}$' AND NOT starts_with(name, 'tollhouse.')),
  version text NOT NULL,
  title text NOT NULL,
  document text NOT NULL,
  sha256 verification.sha256 NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, name, version)
);
ALTER TABLE verification.sheet ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.sheet FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.sheet TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
CREATE POLICY owner_reads ON verification.sheet FOR SELECT TO CURRENT_USER USING (true);
GRANT SELECT, INSERT ON verification.sheet TO tollhouse_verification;
