-- Up Migration

-- The status probe writes to the guarded table itself, in a transaction that is rolled back. The table refers to tenants,
-- so the probe has a tenant of its own. It has no keys, and commands do not list it.
INSERT INTO verification.tenant (tenant_id, name)
VALUES ('00000000-0000-4000-8000-000000000001', 'tollhouse.status-probe');

-- Names of new sheets. A path with `.` or `..` leads elsewhere, and `Tollhouse.x` looks like a sheet of the service.
-- Sheets that are there already keep their names.
ALTER TABLE verification.sheet ADD CONSTRAINT own_name
  CHECK (name NOT IN ('.', '..') AND NOT starts_with(lower(name), 'tollhouse.')) NOT VALID;

-- Down Migration

ALTER TABLE verification.sheet DROP CONSTRAINT own_name;
DELETE FROM verification.tenant WHERE tenant_id = '00000000-0000-4000-8000-000000000001';
