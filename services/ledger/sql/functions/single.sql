-- The usual batch of one, in a few statements. Each of these decides only what needs no more than this, with the locks of the
-- batch in their order, and changes nothing else: then the batch decides, which may take the locks again.

-- Reserves for a wallet that is known and has had no failures lately. The answer is its credit; null: undecided.
CREATE FUNCTION :release.reserve_one(of_network text, ask :release.ask, budget bigint, proofs_from timestamptz)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known record;
  now_at timestamptz;
  made_at timestamptz;
  today date;
  spent record;
BEGIN
  SELECT w.balance, w.failures INTO known FROM ledger.wallet w
    WHERE w.network = of_network AND w.address = ask.wallet FOR UPDATE;
  IF NOT FOUND OR known.failures <> '{}' OR known.balance < ask.amount THEN
    RETURN NULL;
  END IF;
  now_at := ledger.clock();
  made_at := :release.time_of(ask.id);
  today := :release.utc_day(now_at);
  PERFORM :release.lock_day(of_network, today);
  SELECT coalesce(sum(d.used), 0) AS used, count(*) FILTER (WHERE d.changes >= 4000) AS full_parts INTO STRICT spent
    FROM ledger.trial_day d WHERE d.network = of_network AND d.day = today;
  IF ask.amount + spent.used > budget OR now_at > ask.deadline OR NOT :release.is_near(made_at, now_at)
      OR ask.expires_at NOT BETWEEN greatest(now_at, proofs_from) AND now_at + interval '1 day' THEN
    RETURN NULL;
  END IF;
  IF ask.expires_at < (SELECT m.dropped_until FROM ledger.nonce_watermark m WHERE m.is_only_row)
      OR EXISTS (SELECT FROM ledger.reservation x WHERE x.id = ask.id)
      OR EXISTS (SELECT FROM ledger.entry x WHERE x.id = ask.id) THEN
    RETURN NULL;
  END IF;
  known.balance := known.balance - ask.amount;
  INSERT INTO ledger.nonce (network, expires_at, nonce, reservation_id, outcome, balance)
    VALUES (of_network, ask.expires_at, ask.nonce, ask.id, 'reserved', known.balance) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO ledger.reservation
    (id, network, account, kind, nonce, proof_expires_at, amount, operation, day, reserved_at, deadline)
    VALUES (ask.id, of_network, ask.wallet, 'trial', ask.nonce, ask.expires_at, ask.amount, ask.operation, today, now_at,
      ask.deadline);
  UPDATE ledger.wallet w SET balance = known.balance WHERE w.network = of_network AND w.address = ask.wallet;
  INSERT INTO ledger.trial_day AS d (network, day, part, used, budget)
    VALUES (of_network, today, spent.full_parts, ask.amount, reserve_one.budget)
    ON CONFLICT ON CONSTRAINT trial_day_pkey DO UPDATE
      SET used = d.used + excluded.used, changes = d.changes + 1, budget = greatest(d.budget, excluded.budget);
  RETURN known.balance;
END $$;

-- Charges the reservation of a trial. The answer is the credit of its wallet; null: there is no such reservation.
CREATE FUNCTION :release.post_one(of_network text, call :release.call, bodies bytea) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  charged ledger.reservation;
BEGIN
  IF call.request_size + call.response_size <> length(bodies) THEN
    RETURN NULL;
  END IF;
  DELETE FROM ledger.reservation r WHERE r.id = call.id AND r.network = of_network AND r.kind = 'trial'
    RETURNING r.* INTO charged;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO ledger.entry (id, network, account, kind, amount, day, at)
    VALUES (charged.id, charged.network, charged.account, 'post', charged.amount, charged.day, ledger.clock());
  INSERT INTO public.retained_body (day, record_id, access, operation, key_id, request_body, response_body, request_id)
    VALUES (:release.utc_day(:release.time_of(charged.id)), charged.id, charged.kind, charged.operation, call.key_id,
      substring(bodies FROM 1 FOR call.request_size),
      substring(bodies FROM call.request_size + 1 FOR call.response_size), call.request_id);
  RETURN (SELECT w.balance FROM ledger.wallet w WHERE w.network = charged.network AND w.address = charged.account);
END $$;
