-- A worker holds an advisory lock while it runs a job, and the number of the attempt tells attempts apart. `due_at` of a
-- running job is the time at which its attempt began.
DROP TRIGGER job_changed ON job;
DROP FUNCTION notify_job_changed();
ALTER TABLE job DROP COLUMN lease;
UPDATE schema_compatibility SET oldest = '0035_jobs_under_locks';
