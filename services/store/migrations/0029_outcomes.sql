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
  settled_by uuid NOT NULL,
  settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, action_id),
  FOREIGN KEY (tenant_id, action_id) REFERENCES verification.action,
  FOREIGN KEY (tenant_id, execution_id) REFERENCES verification.execution
);
CREATE INDEX settlement_execution ON verification.settlement (tenant_id, execution_id);
ALTER TABLE verification.settlement ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.settlement FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.settlement TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
GRANT SELECT, INSERT ON verification.settlement TO tollhouse_verification;
CREATE POLICY owner_reads ON verification.settlement FOR SELECT TO CURRENT_USER USING (true);

-- An act that is settled gets its identity once.
GRANT UPDATE (identity) ON verification.action TO tollhouse_verification;
CREATE POLICY identified_once ON verification.action AS RESTRICTIVE FOR UPDATE TO tollhouse_verification
  USING (identity IS NULL AND EXISTS (
    SELECT FROM verification.settlement
    WHERE settlement.tenant_id = action.tenant_id AND settlement.action_id = action.action_id
  )) WITH CHECK (identity IS NOT NULL);

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
ALTER TABLE verification.refusal ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.refusal FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.refusal TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
GRANT SELECT, INSERT ON verification.refusal TO tollhouse_verification;
CREATE POLICY owner_reads ON verification.refusal FOR SELECT TO CURRENT_USER USING (true);
-- A process of an older release, which does not know refusals, proves no refused execution.
CREATE POLICY not_refused ON verification.proof AS RESTRICTIVE FOR INSERT TO tollhouse_verification
  WITH CHECK (NOT EXISTS (
    SELECT FROM verification.refusal
    WHERE refusal.tenant_id = proof.tenant_id AND refusal.execution_id = proof.execution_id
  ));
