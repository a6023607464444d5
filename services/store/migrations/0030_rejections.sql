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
ALTER TABLE verification.plan_rejection ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.plan_rejection FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.plan_rejection TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
GRANT SELECT, INSERT ON verification.plan_rejection TO tollhouse_verification;
CREATE POLICY owner_reads ON verification.plan_rejection FOR SELECT TO CURRENT_USER USING (true);

-- A process of an older release, which does not know rejections, approves no rejected plan.
CREATE POLICY not_rejected ON verification.plan_approver AS RESTRICTIVE FOR INSERT TO tollhouse_verification
  WITH CHECK (NOT EXISTS (
    SELECT FROM verification.plan_rejection
    WHERE plan_rejection.tenant_id = plan_approver.tenant_id AND plan_rejection.plan_id = plan_approver.plan_id
  ));

-- Executions of a plan, and their proofs, are listed by it.
CREATE INDEX execution_plan ON verification.execution (tenant_id, plan_id, execution_id);
