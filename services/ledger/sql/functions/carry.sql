-- Months of entries that are no longer kept are dropped. Before, their entries are carried: an entry is deleted, and its
-- amount is added to what its account carries and taken from what is used of its day, in one commit. So the invariants of
-- accounts and days hold at every commit, also if the work ends half-way or is done by two copies, and reads and audits
-- count each amount once.

-- The first month whose entries are kept: the present month and as many full months before it are. As for nonces, the
-- earlier of the server's clock and the caller's decides.
CREATE FUNCTION :release.first_kept_month(months_kept integer, now_at timestamptz) RETURNS date LANGUAGE plpgsql AS $$
BEGIN
  IF months_kept < 1 THEN
    RAISE EXCEPTION 'entries are kept for a month at least' USING ERRCODE = '22023';
  END IF;
  RETURN date_trunc('month', :release.utc_day(least(ledger.clock(), now_at))::timestamp) - make_interval(months => months_kept);
END $$;

-- Carries up to `max_entries` entries after an id, in the order of the ids. Answers the last id; null if none is left. A
-- caller that begins with that id next time does not read the deleted rows again.
--
-- Order of locks: the accounts by bytes, then the days in their order.
CREATE FUNCTION :release.carry_entries(months_kept integer, now_at timestamptz, after_id uuid, max_entries integer)
  RETURNS TABLE (last_id uuid) LANGUAGE plpgsql AS $$
DECLARE
  first_kept date := :release.first_kept_month(months_kept, now_at);
  ids uuid[];
  returned record;
BEGIN
  PERFORM :release.open_batch(false);
  PERFORM :release.open_upkeep();
  PERFORM :release.allow_deletes(first_kept);
  ids := ARRAY(SELECT e.id FROM ledger.entry e
    WHERE e.id > after_id AND e.id < :release.id_at(first_kept::timestamp AT TIME ZONE 'UTC')
    ORDER BY e.id LIMIT max_entries);
  PERFORM FROM ledger.wallet w
    WHERE (w.network, w.address) IN (SELECT e.network, e.account FROM ledger.entry e WHERE e.id = ANY (ids))
    ORDER BY w.network, w.address FOR UPDATE;
  PERFORM FROM ledger.channel k
    WHERE (k.network, k.id) IN (SELECT e.network, e.account FROM ledger.entry e WHERE e.id = ANY (ids))
    ORDER BY k.network, k.id FOR UPDATE;

  FOR returned IN
    WITH gone AS MATERIALIZED (
      DELETE FROM ledger.entry e WHERE e.id = ANY (ids) RETURNING e.network, e.account, e.day, e.amount
    ), spent AS MATERIALIZED (
      SELECT g.network, g.account, sum(g.amount)::bigint AS amount FROM gone g GROUP BY g.network, g.account
    ), to_wallet AS (
      UPDATE ledger.wallet w SET carried = w.carried + s.amount FROM spent s
        WHERE w.network = s.network AND w.address = s.account RETURNING w.address
    ), to_channel AS (
      UPDATE ledger.channel k SET carried = k.carried + s.amount FROM spent s
        WHERE k.network = s.network AND k.id = s.account RETURNING k.id
    )
    SELECT g.network, g.day, sum(g.amount)::bigint AS amount,
      (SELECT count(*) FROM spent) - (SELECT count(*) FROM to_wallet) - (SELECT count(*) FROM to_channel) AS missing
    FROM gone g GROUP BY g.network, g.day ORDER BY g.network, g.day
  LOOP
    IF returned.missing > 0 THEN
      RAISE EXCEPTION '% entries of a batch have no account', returned.missing USING ERRCODE = '23000';
    END IF;
    -- Only trials have a day.
    CONTINUE WHEN returned.day IS NULL;
    PERFORM :release.lock_day(returned.network, returned.day);
    PERFORM :release.take_from_day(returned.network, returned.day, returned.amount);
  END LOOP;
  last_id := ids[cardinality(ids)];
  RETURN NEXT;
END $$;

-- Entries are append-only, but for months that are no longer kept.
CREATE FUNCTION :release.allow_deletes(first_kept date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT p.name FROM :release.partitions('entry', 'YYYYMM') p
      JOIN pg_trigger t ON t.tgrelid = format('ledger.%I', p.name)::regclass AND t.tgname = 'entry_is_append_only'
    WHERE p.first < first_kept AND t.tgenabled <> 'D'
  LOOP
    EXECUTE format('ALTER TABLE ledger.%I DISABLE TRIGGER entry_is_append_only', part.name);
  END LOOP;
END $$;

-- Drops the months that are no longer kept and have no entry. A month stays while a reservation of its ids is open, because
-- a post would need it.
CREATE FUNCTION :release.drop_entry_partitions(months_kept integer, now_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_kept date := :release.first_kept_month(months_kept, now_at);
  part record;
  is_used boolean;
BEGIN
  PERFORM :release.open_upkeep();
  FOR part IN SELECT * FROM :release.partitions('entry', 'YYYYMM') p WHERE p.first < first_kept LOOP
    CONTINUE WHEN EXISTS (SELECT FROM ledger.reservation r
      WHERE r.id >= :release.id_at(part.first::timestamp AT TIME ZONE 'UTC')
        AND r.id < :release.id_at((part.first + interval '1 month') AT TIME ZONE 'UTC'));
    -- The parent comes first, as for every query. No entry can be added now.
    LOCK TABLE ONLY ledger.entry IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('SELECT EXISTS (SELECT FROM ledger.%I)', part.name) INTO STRICT is_used;
    CONTINUE WHEN is_used;
    EXECUTE format('DROP TABLE ledger.%I', part.name);
  END LOOP;
END $$;

-- Deletes the days that are no longer kept and of which nothing is used: their entries are carried, and no reservation is
-- open. Grants by networks of clients are kept since yesterday, because a clock may go back.
CREATE FUNCTION :release.drop_days(months_kept integer, now_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_kept date := :release.first_kept_month(months_kept, now_at);
  old record;
BEGIN
  PERFORM :release.open_upkeep();
  DELETE FROM ledger.grant_scope g WHERE g.day < :release.utc_day(least(ledger.clock(), now_at)) - 1;
  FOR old IN
    SELECT d.network, d.day FROM ledger.trial_day d WHERE d.day < first_kept GROUP BY d.network, d.day
    ORDER BY d.network, d.day
  LOOP
    PERFORM :release.lock_day(old.network, old.day);
    DELETE FROM ledger.trial_day d WHERE d.network = old.network AND d.day = old.day
      AND (SELECT sum(s.used) FROM ledger.trial_day s WHERE s.network = old.network AND s.day = old.day) = 0;
  END LOOP;
END $$;
