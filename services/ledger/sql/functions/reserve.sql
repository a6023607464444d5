-- Reserves amounts of wallets for trials, or answers why not. The ids, wallets and nonces of a batch are distinct.
--
-- asks: [{id, wallet, nonce, expires_at, deadline, operation, amount, scope}], in which the scope may be null.
-- terms: {grant_amount, budget, grants_per_scope, failures_per_hour}, in which 0 grants or failures are unlimited.
--
-- Order of locks: the wallets by bytes, then the day. Missing wallets are inserted first, in the same order, because an
-- insert that waits for another one must not have the day. Ids and nonces are looked up after the locks. A row that the
-- batch inserted is deleted again if it got no reservation: a stranger who is denied leaves only a nonce.
-- Nonces are inserted while the day is held, because two wallets can send one nonce.
--
-- Each statement costs more than what it does for a few asks, so there are few. A join of two lists would be a nested loop:
-- `= ANY (ARRAY(...))` is faster.
CREATE TYPE :release.ask AS (id uuid, wallet text, nonce text, expires_at timestamptz, deadline timestamptz,
  operation text, amount bigint, scope text, n integer);

CREATE FUNCTION :release.reserve(of_network text, grant_amount ledger.micro_usd, day_budget ledger.micro_usd,
  grants_per_scope integer, failures_per_hour integer, asks jsonb)
  RETURNS TABLE (n bigint, outcome text, credit bigint) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  batch :release.ask[];
  strangers text[];
  now_at timestamptz;
  today date;
  ask record;
  outcomes text[] := '{}';
  credits bigint[] := '{}';
  -- Positions of the asks that are decided here and burn their nonce, and of those that reserve.
  burning integer[] := '{}';
  reserving integer[] := '{}';
  burnt uuid[];
  wallets text[] := '{}';
  reserved_sum bigint := 0;
  scopes jsonb := '{}';
BEGIN
  database := :release.open_batch(false);
  IF num_nulls(grant_amount, day_budget, grants_per_scope, failures_per_hour) > 0 THEN
    RAISE EXCEPTION 'a term of trials is missing' USING ERRCODE = '22004';
  END IF;
  IF jsonb_array_length(asks) = 1 THEN
    credit := :release.reserve_one(of_network, jsonb_populate_record(NULL:::release.ask, asks -> 0), day_budget,
      database.proofs_from);
    IF credit IS NOT NULL THEN
      n := 1;
      outcome := 'reserved';
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;
  batch := :release.read_asks(asks);
  strangers := :release.lock_wallets(of_network, grant_amount, batch);
  now_at := ledger.clock();
  today := :release.utc_day(now_at);
  PERFORM :release.lock_day(of_network, today);

  FOR ask IN SELECT * FROM :release.examine_asks(of_network, batch, now_at, database.proofs_from) LOOP
    IF ask.outcome IS NULL THEN
      burning := burning || ask.n;
      ask.outcome := CASE
        WHEN ask.credit < ask.amount THEN 'insufficient_balance'
        WHEN failures_per_hour > 0 AND failures_per_hour <= ask.failures THEN 'throttled'
        WHEN ask.used_today + reserved_sum + ask.amount > day_budget THEN 'daily_budget_exhausted'
        WHEN grants_per_scope > 0 AND ask.wallet = ANY (strangers)
          AND grants_per_scope <= ask.grants + coalesce((scopes ->> ask.scope)::integer, 0) THEN 'grants_exhausted'
        ELSE 'reserved'
      END;
      IF ask.outcome = 'reserved' THEN
        reserving := reserving || ask.n;
        ask.credit := ask.credit - ask.amount;
        reserved_sum := reserved_sum + ask.amount;
        IF ask.scope IS NOT NULL AND ask.wallet = ANY (strangers) THEN
          scopes := scopes || jsonb_build_object(ask.scope, coalesce((scopes ->> ask.scope)::integer, 0) + 1);
        END IF;
      END IF;
    END IF;
    outcomes := outcomes || ask.outcome;
    wallets := wallets || ask.wallet;
    credits := credits || ask.credit;
  END LOOP;

  IF burning <> '{}' THEN
    WITH ask AS MATERIALIZED (
      SELECT a.* FROM unnest(batch) a WHERE a.n = ANY (burning)
    ), added AS (
      INSERT INTO ledger.nonce AS b (network, expires_at, nonce, reservation_id, outcome, balance)
      SELECT of_network, a.expires_at, a.nonce, a.id, outcomes[a.n], credits[a.n] FROM ask a
      ON CONFLICT DO NOTHING RETURNING b.reservation_id
    ), made AS (
      INSERT INTO ledger.reservation AS r
        (id, network, account, kind, nonce, proof_expires_at, amount, operation, day, reserved_at, deadline)
      SELECT a.id, of_network, a.wallet, 'trial', a.nonce, a.expires_at, a.amount, a.operation, today, now_at, a.deadline
      FROM ask a WHERE a.n = ANY (reserving) AND a.id = ANY (ARRAY(SELECT d.reservation_id FROM added d))
      RETURNING r.account, r.amount
    ), paid AS (
      UPDATE ledger.wallet w SET balance = credits[array_position(wallets, w.address::text)]
      WHERE w.network = of_network AND w.address = ANY (ARRAY(SELECT m.account::text FROM made m))
    ), used AS (
      INSERT INTO ledger.trial_day AS d (network, day, part, used, budget)
      SELECT of_network, today, :release.open_part(of_network, today), s.amount, day_budget
      FROM (SELECT sum(m.amount)::bigint AS amount FROM made m) s WHERE s.amount > 0
      ON CONFLICT ON CONSTRAINT trial_day_pkey DO UPDATE
        SET used = d.used + excluded.used, changes = d.changes + 1, budget = greatest(d.budget, excluded.budget)
    )
    SELECT coalesce(array_agg(d.reservation_id), '{}') INTO STRICT burnt FROM added d;
    IF cardinality(burnt) < cardinality(burning) THEN
      -- Other wallets have used these nonces since they were looked up.
      FOR ask IN SELECT a.* FROM unnest(batch) a WHERE a.n = ANY (burning) AND a.id <> ALL (burnt) LOOP
        IF outcomes[ask.n] = 'reserved' THEN
          credits[ask.n] := credits[ask.n] + ask.amount;
          reserving := array_remove(reserving, ask.n);
        END IF;
        outcomes[ask.n] := 'nonce_replayed';
      END LOOP;
    END IF;
  END IF;
  IF strangers <> '{}' THEN
    PERFORM :release.settle_strangers(of_network, today, batch, reserving, strangers);
  END IF;
  RETURN QUERY SELECT o.n, o.outcome, o.credit FROM unnest(outcomes, credits) WITH ORDINALITY AS o(outcome, credit, n);
END $$;

CREATE FUNCTION :release.read_asks(asks jsonb) RETURNS :release.ask[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(
    ROW(a.id, a.wallet, a.nonce, a.expires_at, a.deadline, a.operation, a.amount, a.scope, a.n):::release.ask), '{}')
  FROM ROWS FROM (jsonb_to_recordset(asks) AS (id uuid, wallet text, nonce text, expires_at timestamptz,
    deadline timestamptz, operation text, amount bigint, scope text)) WITH ORDINALITY
    AS a(id, wallet, nonce, expires_at, deadline, operation, amount, scope, n)
$$;

-- Locks the wallets of a batch, after it has inserted those that are missing. Answers the addresses that it inserted.
CREATE FUNCTION :release.lock_wallets(of_network text, grant_amount bigint, batch :release.ask[])
  RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  addresses text[];
  is_distinct boolean;
  found_rows integer;
  strangers text[] := '{}';
BEGIN
  SELECT coalesce(array_agg(a.wallet), '{}'), count(DISTINCT a.wallet) = count(*) AND count(DISTINCT a.id) = count(*)
      AND count(DISTINCT (a.expires_at, a.nonce)) = count(*)
    INTO STRICT addresses, is_distinct FROM unnest(batch) a;
  IF NOT is_distinct THEN
    RAISE EXCEPTION 'two asks of a batch have the same id, wallet or nonce' USING ERRCODE = '22023';
  END IF;
  SELECT count(*) INTO STRICT found_rows FROM ledger.wallet w WHERE w.network = of_network AND w.address = ANY (addresses);
  IF found_rows < cardinality(addresses) THEN
    WITH added AS (
      INSERT INTO ledger.wallet AS w (network, address, granted, balance)
      SELECT of_network, a.wallet, grant_amount, grant_amount FROM unnest(addresses) AS a(wallet)
      WHERE NOT EXISTS (SELECT FROM ledger.wallet k WHERE k.network = of_network AND k.address = a.wallet)
      ORDER BY a.wallet COLLATE "C" ON CONFLICT DO NOTHING RETURNING w.address
    ) SELECT coalesce(array_agg(a.address::text), '{}') INTO STRICT strangers FROM added a;
  END IF;
  PERFORM FROM ledger.wallet w
    WHERE w.network = of_network AND w.address = ANY (addresses)
    ORDER BY w.address FOR UPDATE;
  RETURN strangers;
END $$;

-- The asks with the credit of their wallets, what is used of the day and granted to their scopes, and the outcomes of those
-- that need no decision: they repeat an earlier ask, use a nonce again, or come too late. The outcome of the others is null.
-- LATERAL with a limit makes each lookup a probe of an index: the plan of a join, made once while tables are small, may scan
-- them when they have grown.
CREATE FUNCTION :release.examine_asks(of_network text, batch :release.ask[], now_at timestamptz, proofs_from timestamptz)
  RETURNS TABLE (n integer, wallet text, amount bigint, scope text, credit bigint, failures bigint, used_today bigint,
    grants integer, outcome text) LANGUAGE plpgsql AS $$
DECLARE
  today date := :release.utc_day(now_at);
BEGIN
  RETURN QUERY
    SELECT a.n, a.wallet, a.amount, a.scope,
      -- A repeated ask gets its first balance, for as long as its nonce is kept.
      CASE WHEN b.reservation_id = a.id THEN b.balance ELSE w.balance END::bigint,
      (SELECT count(*) FROM unnest(w.failures) AS f(at) WHERE f.at > now_at - interval '1 hour'),
      (SELECT coalesce(sum(d.used), 0)::bigint FROM ledger.trial_day d WHERE d.network = of_network AND d.day = today),
      coalesce((SELECT g.grants FROM ledger.grant_scope g
        WHERE g.network = of_network AND g.day = today AND g.scope = a.scope), 0),
      CASE
        WHEN r.id IS NOT NULL THEN CASE WHEN r.network = of_network AND r.kind = 'trial' AND r.account = a.wallet
          AND r.amount = a.amount AND r.nonce = a.nonce AND r.proof_expires_at = a.expires_at
          THEN 'reserved' ELSE 'conflict' END
        WHEN e.id IS NOT NULL THEN CASE WHEN e.network = of_network AND e.account = a.wallet AND e.amount = a.amount
          THEN 'posted' ELSE 'conflict' END
        -- It was reserved, and is neither open nor posted.
        WHEN b.reservation_id = a.id AND b.outcome = 'reserved' THEN 'voided'
        WHEN b.reservation_id = a.id THEN b.outcome
        WHEN now_at > a.expires_at OR a.expires_at < proofs_from
          OR a.expires_at < (SELECT m.dropped_until FROM ledger.nonce_watermark m WHERE m.is_only_row) THEN 'expired'
        WHEN now_at > a.deadline THEN 'deadline_passed'
        WHEN b.reservation_id IS NOT NULL THEN CASE
          WHEN EXISTS (SELECT FROM ledger.entry x
            WHERE x.id = b.reservation_id AND x.network = of_network AND x.account = a.wallet) THEN 'nonce_posted'
          WHEN EXISTS (SELECT FROM ledger.reservation x
            WHERE x.id = b.reservation_id AND x.network = of_network AND x.account = a.wallet) THEN 'nonce_reserved'
          ELSE 'nonce_replayed' END
        WHEN a.expires_at > now_at + interval '1 day' OR NOT :release.is_near(:release.time_of(a.id), now_at)
          THEN 'out_of_range'
      END
    FROM unnest(batch) a
      CROSS JOIN LATERAL (SELECT * FROM ledger.wallet x WHERE x.network = of_network AND x.address = a.wallet LIMIT 1) w
      LEFT JOIN LATERAL (SELECT * FROM ledger.reservation x WHERE x.id = a.id LIMIT 1) r ON true
      LEFT JOIN LATERAL (SELECT * FROM ledger.entry x WHERE x.id = a.id LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT * FROM ledger.nonce x
        WHERE x.network = of_network AND x.expires_at = a.expires_at AND x.nonce = a.nonce LIMIT 1) b ON true
    ORDER BY a.n;
END $$;

-- Counts the grants of the wallets that the batch inserted, and deletes those that got no reservation.
CREATE FUNCTION :release.settle_strangers(of_network text, today date, batch :release.ask[], reserving integer[], strangers text[])
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  winners text[] := ARRAY(SELECT a.wallet FROM unnest(batch) a WHERE a.n = ANY (reserving));
BEGIN
  INSERT INTO ledger.grant_scope AS g (network, day, scope, grants)
    SELECT of_network, today, a.scope, count(*) FROM unnest(batch) a
    WHERE a.wallet = ANY (winners) AND a.wallet = ANY (strangers) AND a.scope IS NOT NULL GROUP BY a.scope
    ON CONFLICT ON CONSTRAINT grant_scope_pkey DO UPDATE SET grants = g.grants + excluded.grants;
  IF NOT strangers <@ winners THEN
    DELETE FROM ledger.wallet w WHERE w.network = of_network AND w.address = ANY (strangers) AND w.address <> ALL (winners);
  END IF;
END $$;
