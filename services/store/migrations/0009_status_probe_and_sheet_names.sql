-- The status probe writes to the guarded table in a transaction that is rolled back. The table refers to tenants, so
-- the probe has its own tenant. That tenant has no keys, and commands do not list it.
INSERT INTO verification.tenant (tenant_id, name)
VALUES ('00000000-0000-4000-8000-000000000001', 'tollhouse.status-probe');

-- The names of new sheets. `.` and `..` are not possible in a path, and `Tollhouse.x` looks like a sheet of the
-- service. Existing sheets keep their names.
ALTER TABLE verification.sheet ADD CONSTRAINT own_name
  CHECK (name NOT IN ('.', '..') AND NOT starts_with(lower(name), 'tollhouse.')) NOT VALID;
