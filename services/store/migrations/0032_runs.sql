-- The place of an execution among those of its plan, in the order of the plan's lock, from 1. Only for plans with rules over
-- their runs, and null for executions that are too many or too large for such rules.
ALTER TABLE verification.execution ADD COLUMN run integer CHECK (run > 0);
ALTER TABLE verification.execution ADD CONSTRAINT execution_run UNIQUE (tenant_id, plan_id, run);

-- The first run of the plan that was recorded after the settlement, and sees it.
ALTER TABLE verification.settlement ADD COLUMN seen_from integer CHECK (seen_from > 0);
