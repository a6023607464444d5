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
ALTER TABLE verification.webhook_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.webhook_event FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON verification.webhook_event TO tollhouse_verification
  USING (tenant_id = verification.current_tenant()) WITH CHECK (tenant_id = verification.current_tenant());
GRANT INSERT ON verification.webhook_event TO tollhouse_verification;
CREATE POLICY owner_sends ON verification.webhook_event TO CURRENT_USER USING (true);
