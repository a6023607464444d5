-- The ledger accepts reservations only while the database commits durably.

-- The clock, and why nothing may be reserved; null if it may. Answers on a standby too.
CREATE FUNCTION :release.status() RETURNS TABLE (now_at timestamptz, fault text) LANGUAGE sql AS $$
  SELECT ledger.clock(), CASE
    WHEN pg_is_in_recovery() THEN 'the database is in recovery'
    WHEN current_setting('transaction_read_only') = 'on' THEN 'the database is read-only'
    WHEN current_setting('fsync') = 'off' THEN 'the database does not wait for its disk: fsync is off'
    WHEN current_setting('full_page_writes') = 'off' THEN 'the database may lose pages: full_page_writes is off'
    WHEN current_setting('transaction_isolation') <> 'read committed' THEN
      'the default isolation of the database is not read committed'
    WHEN (SELECT e.format FROM ledger.epoch e ORDER BY e.number DESC LIMIT 1) <> 1 THEN
      'later_format: a later release has changed the data of the ledger'
    -- Challenges that are issued now would be refused.
    WHEN ledger.clock() < (SELECT max(e.began_at) FROM ledger.epoch e WHERE e.number > 0) + interval '10 seconds' THEN
      'the database was restored or moved a moment ago'
  END
$$;

-- Commits a record of the log that nobody reads. It returns once that, and so every earlier commit, is durable. A probe
-- that gave up waiting still has the lock, so probes do not add up in a server whose standby is away.
CREATE FUNCTION :release.probe() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.open_batch(true);
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger.probe', 0));
  PERFORM pg_logical_emit_message(true, 'ledger.probe', '');
END $$;

-- As probe, and fills 16 MB of a table that nobody else sees. A full disk may still have room for the log or for a page, and not
-- for the answers of calls. The table is of the tablespace of the database, whatever is set for temporary ones.
CREATE FUNCTION :release.probe_disk() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.probe();
  SET LOCAL temp_tablespaces = '';
  CREATE TEMPORARY TABLE disk_probe (filling text);
  INSERT INTO pg_temp.disk_probe (filling) SELECT repeat('x', 1900) FROM generate_series(1, 8192);
  DROP TABLE pg_temp.disk_probe;
END $$;
