-- The back office deletes checks that no execution needs, as the owner, which row-level security binds unless it is a
-- superuser. It locks their rows first.
CREATE POLICY owner_deletes ON verification.plan_check FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_locks ON verification.plan_check FOR UPDATE TO CURRENT_USER USING (true) WITH CHECK (false);
CREATE INDEX plan_check_age ON verification.plan_check (checked_at);

-- The answer of a deleted check is deleted, and its key stays. The id of the check is the first member of the answer, which is
-- canonical JSON.
CREATE POLICY owner_deletes_answers ON verification.guarded_mutation FOR UPDATE TO CURRENT_USER
  USING (true) WITH CHECK (answer IS NULL);
CREATE INDEX guarded_mutation_check ON verification.guarded_mutation (tenant_id, substr(answer, 14, 36))
  WHERE starts_with(answer, '{"check_id":"');
