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
ALTER TABLE verification.reservation ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.reservation FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.reservation TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
GRANT SELECT, INSERT, DELETE, UPDATE (holds_execution) ON verification.reservation TO tollhouse_verification;
CREATE POLICY owner_reads ON verification.reservation FOR SELECT TO CURRENT_USER USING (true);
