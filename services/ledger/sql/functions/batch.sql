-- What every function does first, and what several of them share.

-- A standby and a server that recovers answer before they take writes. The check comes before anything that fails there
-- with another code.
CREATE FUNCTION :release.assert_primary() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_is_in_recovery() THEN
    RAISE EXCEPTION 'the database is in recovery' USING ERRCODE = '25006';
  END IF;
END $$;

-- Settings of the transaction, which is one batch, and the epoch of the database. `is_final`: the commit waits for the
-- disk, and for the standbys that the server names. They are set by assignments, because PERFORM takes several times as long.
--
-- Raises LE001 if the database is not the one of its epoch: `begin_epoch` goes on. LE002: a later release changed the data.
CREATE FUNCTION :release.open_batch(is_final boolean, OUT epoch integer, OUT proofs_from timestamptz)
  LANGUAGE plpgsql AS $$
DECLARE
  known record;
  setting text;
BEGIN
  IF pg_is_in_recovery() THEN
    RAISE EXCEPTION 'the database is in recovery' USING ERRCODE = '25006';
  END IF;
  SELECT e.* INTO STRICT known FROM ledger.epoch e ORDER BY e.number DESC LIMIT 1;
  IF known.format <> 1 THEN
    RAISE EXCEPTION 'a later release has changed the ledger' USING ERRCODE = 'LE002';
  ELSIF known.identity <> ledger.identity() THEN
    RAISE EXCEPTION 'the database is another one than in its epoch' USING ERRCODE = 'LE001';
  END IF;
  setting := set_config('synchronous_commit', CASE WHEN NOT is_final THEN 'off'
    WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true);
  -- The client reads it with the answer.
  setting := set_config('ledger.identity', known.identity, true);
  epoch := known.number;
  proofs_from := known.proofs_from;
END $$;

-- Begins an epoch if the database is another one than in the last. Callers may have been told of commits that it lacks: so
-- proofs are refused that may have been used before, and channels until a voucher shows what was charged. A challenge lasts
-- five minutes, and the clocks of two servers may be ten seconds apart. `is_forced`: also if the database seems to be the
-- same, as a copy of a volume does.
CREATE FUNCTION :release.begin_epoch(is_forced boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  SET LOCAL synchronous_commit = on;
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger.epoch', 0));
  INSERT INTO ledger.epoch (number, identity, format, began_at, proofs_from)
    SELECT e.number + 1, ledger.identity(), e.format, ledger.clock(),
      greatest(e.proofs_from, ledger.clock() + interval '310 seconds')
    FROM (SELECT * FROM ledger.epoch ORDER BY number DESC LIMIT 1) e
    WHERE is_forced OR e.identity <> ledger.identity();
  IF FOUND THEN
    -- Executions may have been settled in the lost time: the chain is asked about each.
    UPDATE ledger.payment_claim c SET due_at = ledger.clock() WHERE c.claim_id = ANY (ARRAY(
      SELECT x.claim_id FROM ledger.payment_claim x WHERE x.state = 'executing' AND x.from_block IS NOT NULL
      ORDER BY x.claim_id FOR UPDATE));
  END IF;
END $$;

-- The time of a UUIDv7 (RFC 9562, section 5.7). It is STABLE, as the sum of a time and an interval is, and not STRICT: so
-- its callers have it inline, which takes a tenth of the time.
CREATE FUNCTION :release.time_of(id uuid) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT timestamptz 'epoch'
    + ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint * interval '1 millisecond'
$$;

-- The first possible id of a time.
CREATE FUNCTION :release.id_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- A new UUIDv7.
CREATE FUNCTION :release.new_id(moment timestamptz) RETURNS uuid LANGUAGE sql VOLATILE STRICT AS $$
  SELECT overlay(overlay(gen_random_uuid()::text placing left(:release.id_at(moment)::text, 13) FROM 1)
    placing '7' FROM 15)::uuid
$$;

CREATE FUNCTION :release.utc_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;

-- Partitions exist for the days around now, so times and ids of other days are refused.
CREATE FUNCTION :release.is_near(moment timestamptz, now_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT moment BETWEEN now_at - interval '1 day' AND now_at + interval '1 day'
$$;

-- The lock of a day is the last in the order of locks. Its owner waits for no row.
CREATE FUNCTION :release.lock_day(of_network text, of_day date) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('ledger.trial_day/' || of_network || '/' || (of_day - date 'epoch'), 0))
$$;

-- The part of a day that takes its next change. The parts before it are full.
CREATE FUNCTION :release.open_part(of_network text, of_day date) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT count(*)::integer FROM ledger.trial_day d WHERE d.network = of_network AND d.day = of_day AND d.changes >= 4000
$$;

-- Returns what voids took from a day, or takes what was carried. The caller has the lock of the day.
CREATE FUNCTION :release.take_from_day(of_network text, of_day date, amount bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ledger.trial_day AS d (network, day, part, used, budget)
    VALUES (of_network, of_day, :release.open_part(of_network, of_day), -amount, 0)
    ON CONFLICT ON CONSTRAINT trial_day_pkey DO UPDATE SET used = d.used + excluded.used, changes = d.changes + 1
$$;
