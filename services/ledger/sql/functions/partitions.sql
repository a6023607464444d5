-- Partitions are made well before their first row: nonces by the day of their proof's expiration, entries by the month
-- of their id. A change waits for all queries that read the table, and every new query waits behind it, so it gives up
-- soon. There is one function for each table: a batch reads both, so a transaction that changes both could wait for it in
-- a circle.
CREATE FUNCTION :release.make_nonce_partitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today timestamp := :release.utc_day(ledger.clock());
  first timestamp;
BEGIN
  PERFORM :release.open_upkeep();
  FOR first IN SELECT generate_series(today - interval '1 day', today + interval '2 days', interval '1 day') LOOP
    PERFORM :release.make_partition('nonce', to_char(first, 'YYYYMMDD'), (first AT TIME ZONE 'UTC')::text,
      ((first + interval '1 day') AT TIME ZONE 'UTC')::text);
  END LOOP;
END $$;

CREATE FUNCTION :release.make_entry_partitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today timestamp := :release.utc_day(ledger.clock());
  first timestamp;
BEGIN
  PERFORM :release.open_upkeep();
  FOR first IN SELECT generate_series(date_trunc('month', today - interval '2 days'),
    date_trunc('month', today + interval '1 month'), interval '1 month')
  LOOP
    PERFORM :release.make_partition('entry', to_char(first, 'YYYYMM'), :release.id_at(first AT TIME ZONE 'UTC')::text,
      :release.id_at((first + interval '1 month') AT TIME ZONE 'UTC')::text);
  END LOOP;
END $$;

-- Drops nonces whose proofs expired before yesterday. The watermark changes in the same commit, so that no proof is free
-- again if the clock goes back, or was ahead. A reserve that read the watermark before finds no partition for its nonce, and
-- is repeated. The earlier of the server's clock and the caller's decides: a clock that is ahead would refuse the proofs of
-- all days until then.
CREATE FUNCTION :release.drop_nonce_partitions(now_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  oldest_kept date := :release.utc_day(least(ledger.clock(), now_at)) - 1;
  part record;
BEGIN
  PERFORM :release.open_upkeep();
  FOR part IN SELECT * FROM :release.partitions('nonce', 'YYYYMMDD') p WHERE p.first < oldest_kept LOOP
    UPDATE ledger.nonce_watermark m
      SET dropped_until = greatest(m.dropped_until, (part.first + 1)::timestamp AT TIME ZONE 'UTC') WHERE m.is_only_row;
    EXECUTE format('DROP TABLE ledger.%I', part.name);
  END LOOP;
END $$;

-- Partitions of a table whose names end with the first day of their range in this format, the oldest first.
CREATE FUNCTION :release.partitions(parent text, day_format text) RETURNS TABLE (name text, first date)
  LANGUAGE sql STABLE AS $$
  SELECT p.name, to_date(p.suffix, day_format) FROM (
    SELECT c.relname::text AS name, substring(c.relname FROM length(parent) + 2) AS suffix
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = format('ledger.%I', parent)::regclass
  ) p WHERE p.suffix ~ '^[0-9]+$' AND length(p.suffix) = length(day_format) ORDER BY p.suffix
$$;

-- Upkeep is done by one function at a time. Nothing else waits for its lock, so it may take longer than other locks.
CREATE FUNCTION :release.open_upkeep() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger.upkeep', 0));
  SET LOCAL lock_timeout = '500ms';
END $$;

-- CREATE … IF NOT EXISTS alone might lock the parent of a partition that exists.
CREATE FUNCTION :release.make_partition(parent text, suffix text, first text, following text)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass(format('ledger.%I', parent || '_' || suffix)) IS NULL THEN
    EXECUTE format('CREATE TABLE ledger.%I PARTITION OF ledger.%I FOR VALUES FROM (%L) TO (%L)',
      parent || '_' || suffix, parent, first, following);
  END IF;
END $$;
