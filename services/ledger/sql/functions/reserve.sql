-- Reserves amounts of wallets for trials, or answers why not.
--
-- asks: [{id, wallet, nonce, expires_at, deadline, operation, amount, scope}], in which the scope may be null.
-- terms: {grant_amount, budget, grants_per_scope, failures_per_hour}, in which 0 grants or failures are unlimited.
--
-- Order of locks: the wallets by bytes, then the day. Missing wallets are inserted first, in the same order, because an
-- insert that waits for another one must not have the day. Ids and nonces are looked up after the locks. A row that the
-- batch inserted is deleted again if it got no reservation: a stranger who is denied leaves only a nonce.
-- Nonces are inserted while the day is held, because two wallets can send one nonce.
CREATE FUNCTION :release.reserve(of_network text, terms jsonb, asks jsonb)
  RETURNS TABLE (n bigint, outcome text, credit bigint) LANGUAGE plpgsql AS $$
DECLARE
  term record;
  addresses text[];
  strangers text[];
  dropped_until timestamptz;
  now_at timestamptz;
  today date;
  is_day_held boolean := false;
  used_today bigint;
  reserved_sum bigint := 0;
  ask record;
  owner record;
  seen record;
BEGIN
  PERFORM :release.open_batch(false);
  SELECT * INTO term FROM jsonb_to_record(terms)
    AS t(grant_amount ledger.micro_usd, budget ledger.micro_usd, grants_per_scope integer, failures_per_hour integer);
  IF num_nulls(term.grant_amount, term.budget, term.grants_per_scope, term.failures_per_hour) > 0 THEN
    RAISE EXCEPTION 'a term of trials is missing' USING ERRCODE = '22004';
  END IF;

  addresses := ARRAY(SELECT DISTINCT x.wallet FROM jsonb_to_recordset(asks) AS x(wallet text));
  WITH added AS (
    INSERT INTO ledger.wallet AS w (network, address, granted, balance)
    SELECT of_network, a.wallet, term.grant_amount, term.grant_amount
    FROM unnest(addresses) AS a(wallet) ORDER BY a.wallet COLLATE "C"
    ON CONFLICT DO NOTHING RETURNING w.address
  ) SELECT coalesce(array_agg(a.address::text), '{}') INTO strangers FROM added a;
  PERFORM FROM ledger.wallet w
    WHERE w.network = of_network AND w.address = ANY (addresses)
    ORDER BY w.address FOR UPDATE;

  now_at := ledger.clock();
  today := :release.utc_day(now_at);
  SELECT m.dropped_until INTO STRICT dropped_until FROM ledger.nonce_watermark m WHERE m.is_only_row;

  FOR ask IN
    SELECT a.* FROM ROWS FROM (jsonb_to_recordset(asks) AS (id uuid, wallet text, nonce text, expires_at timestamptz,
      deadline timestamptz, operation text, amount bigint, scope text)) WITH ORDINALITY
      AS a(id, wallet, nonce, expires_at, deadline, operation, amount, scope, n) ORDER BY a.n
  LOOP
    n := ask.n;
    SELECT w.balance, w.failures INTO STRICT owner FROM ledger.wallet w
      WHERE w.network = of_network AND w.address = ask.wallet;
    credit := owner.balance;
    SELECT r.id AS open_id, r.network = of_network AND r.kind = 'trial' AND r.account = ask.wallet
        AND r.amount = ask.amount AND r.nonce = ask.nonce AND r.proof_expires_at = ask.expires_at AS is_same_open,
      e.id AS posted_id, e.network = of_network AND e.account = ask.wallet AND e.amount = ask.amount AS is_same_posted,
      b.reservation_id AS burnt_by, b.outcome AS first_outcome, b.balance AS first_balance
    INTO STRICT seen FROM (VALUES (1)) AS one(row)
      LEFT JOIN ledger.reservation r ON r.id = ask.id
      LEFT JOIN ledger.entry e ON e.id = ask.id
      LEFT JOIN ledger.nonce b ON b.network = of_network AND b.expires_at = ask.expires_at AND b.nonce = ask.nonce;

    outcome := CASE
      WHEN seen.open_id IS NOT NULL THEN CASE WHEN seen.is_same_open THEN 'reserved' ELSE 'conflict' END
      WHEN seen.posted_id IS NOT NULL THEN CASE WHEN seen.is_same_posted THEN 'posted' ELSE 'conflict' END
      -- It was reserved, and is neither open nor posted.
      WHEN seen.burnt_by = ask.id AND seen.first_outcome = 'reserved' THEN 'voided'
      WHEN seen.burnt_by = ask.id THEN seen.first_outcome
      WHEN now_at > ask.expires_at OR ask.expires_at < dropped_until THEN 'expired'
      WHEN now_at > ask.deadline THEN 'deadline_passed'
      WHEN seen.burnt_by IS NOT NULL THEN 'nonce_replayed'
      -- Partitions exist for the days around now.
      WHEN ask.expires_at > now_at + interval '1 day'
        OR abs(extract(epoch FROM :release.time_of(ask.id) - now_at)) > 86400 THEN 'out_of_range'
    END;
    IF outcome IS NOT NULL THEN
      -- A repeated ask gets its first balance, for as long as its nonce is kept.
      IF seen.burnt_by = ask.id THEN
        credit := seen.first_balance;
      END IF;
      RETURN NEXT;
      CONTINUE;
    END IF;

    IF NOT is_day_held THEN
      PERFORM :release.lock_day(of_network, today);
      is_day_held := true;
      SELECT coalesce(sum(d.used), 0)::bigint INTO STRICT used_today FROM ledger.trial_day d
        WHERE d.network = of_network AND d.day = today;
    END IF;
    outcome := CASE
      WHEN owner.balance < ask.amount THEN 'insufficient_balance'
      WHEN term.failures_per_hour > 0 AND term.failures_per_hour
        <= (SELECT count(*) FROM unnest(owner.failures) AS f(at) WHERE f.at > now_at - interval '1 hour') THEN 'throttled'
      WHEN used_today + reserved_sum + ask.amount > term.budget THEN 'daily_budget_exhausted'
      WHEN term.grants_per_scope > 0 AND ask.wallet = ANY (strangers) AND term.grants_per_scope
        <= (SELECT g.grants FROM ledger.grant_scope g
            WHERE g.network = of_network AND g.day = today AND g.scope = ask.scope) THEN 'grants_exhausted'
      ELSE 'reserved'
    END;
    IF outcome = 'reserved' THEN
      credit := owner.balance - ask.amount;
    END IF;
    INSERT INTO ledger.nonce (network, expires_at, nonce, reservation_id, outcome, balance)
      VALUES (of_network, ask.expires_at, ask.nonce, ask.id, outcome, credit) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      -- Another wallet used it since it was looked up.
      outcome := 'nonce_replayed';
      credit := owner.balance;
    ELSIF outcome = 'reserved' THEN
      UPDATE ledger.wallet w SET balance = credit WHERE w.network = of_network AND w.address = ask.wallet;
      INSERT INTO ledger.reservation
        (id, network, account, kind, nonce, proof_expires_at, amount, operation, day, reserved_at, deadline)
        VALUES (ask.id, of_network, ask.wallet, 'trial', ask.nonce, ask.expires_at, ask.amount, ask.operation, today,
          now_at, ask.deadline);
      reserved_sum := reserved_sum + ask.amount;
      IF ask.wallet = ANY (strangers) THEN
        strangers := array_remove(strangers, ask.wallet);
        IF ask.scope IS NOT NULL THEN
          INSERT INTO ledger.grant_scope AS g (network, day, scope, grants) VALUES (of_network, today, ask.scope, 1)
            ON CONFLICT ON CONSTRAINT grant_scope_pkey DO UPDATE SET grants = g.grants + 1;
        END IF;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF reserved_sum > 0 THEN
    PERFORM :release.add_to_day(of_network, today, reserved_sum, term.budget);
  END IF;
  DELETE FROM ledger.wallet w WHERE w.network = of_network AND w.address = ANY (strangers);
END $$;
