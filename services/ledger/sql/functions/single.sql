-- The usual batch of one, in a few statements. Each of these decides only what needs no more than this, with the locks of the
-- batch in their order, and changes nothing else: then the batch decides, which may take the locks again.

-- Reserves for a wallet that is known and has had no failures lately. The answer is its credit; null: undecided.
CREATE FUNCTION :release.reserve_one(of_network text, ask :release.ask, budget bigint, proofs_from timestamptz)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known record;
  now_at timestamptz;
  today date;
  credit bigint;
BEGIN
  SELECT w.balance, w.failures INTO known FROM ledger.wallet w
    WHERE w.network = of_network AND w.address = ask.wallet FOR UPDATE;
  IF NOT FOUND OR known.failures <> '{}' OR known.balance < ask.amount THEN
    RETURN NULL;
  END IF;
  now_at := ledger.clock();
  today := :release.utc_day(now_at);
  PERFORM :release.lock_day(of_network, today);
  WITH usable AS (
    SELECT WHERE now_at <= ask.deadline AND ask.expires_at BETWEEN greatest(now_at, proofs_from) AND now_at + interval '1 day'
      AND ask.expires_at >= (SELECT m.dropped_until FROM ledger.nonce_watermark m WHERE m.is_only_row)
      AND :release.is_near(:release.time_of(ask.id), now_at)
      AND NOT EXISTS (SELECT FROM ledger.reservation x WHERE x.id = ask.id)
      AND NOT EXISTS (SELECT FROM ledger.entry x WHERE x.id = ask.id)
      AND ask.amount + (SELECT coalesce(sum(d.used), 0) FROM ledger.trial_day d
        WHERE d.network = of_network AND d.day = today) <= budget
  ), added AS (
    INSERT INTO ledger.nonce AS b (network, expires_at, nonce, reservation_id, outcome, balance)
    SELECT of_network, ask.expires_at, ask.nonce, ask.id, 'reserved', known.balance - ask.amount FROM usable
    ON CONFLICT DO NOTHING RETURNING b.balance
  ), made AS (
    INSERT INTO ledger.reservation
      (id, network, account, kind, nonce, proof_expires_at, amount, operation, day, reserved_at, deadline)
    SELECT ask.id, of_network, ask.wallet, 'trial', ask.nonce, ask.expires_at, ask.amount, ask.operation, today, now_at,
      ask.deadline FROM added
  ), paid AS (
    UPDATE ledger.wallet w SET balance = a.balance FROM added a WHERE w.network = of_network AND w.address = ask.wallet
  ), used AS (
    INSERT INTO ledger.trial_day AS d (network, day, part, used, budget)
    SELECT of_network, today, :release.open_part(of_network, today), ask.amount, reserve_one.budget FROM added
    ON CONFLICT ON CONSTRAINT trial_day_pkey DO UPDATE
      SET used = d.used + excluded.used, changes = d.changes + 1, budget = greatest(d.budget, excluded.budget)
  )
  SELECT a.balance INTO credit FROM added a;
  RETURN credit;
END $$;

-- Charges the reservation of a trial. The answer is the credit of its wallet; null: there is no such reservation.
CREATE FUNCTION :release.post_one(of_network text, call :release.call, bodies bytea) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  credit bigint;
BEGIN
  WITH charged AS (
    DELETE FROM ledger.reservation r WHERE r.id = call.id AND r.network = of_network AND r.kind = 'trial' RETURNING r.*
  ), booked AS (
    INSERT INTO ledger.entry (id, network, account, kind, amount, day, at)
    SELECT d.id, d.network, d.account, 'post', d.amount, d.day, ledger.clock() FROM charged d
  ), kept AS (
    INSERT INTO public.retained_body (day, record_id, access, operation, key_id, request_body, response_body, request_id)
    SELECT :release.utc_day(:release.time_of(d.id)), d.id, d.kind, d.operation, call.key_id,
      substring(bodies FROM 1 FOR call.request_size), substring(bodies FROM call.request_size + 1), call.request_id
    FROM charged d
  )
  SELECT w.balance INTO credit FROM charged d JOIN ledger.wallet w ON w.network = d.network AND w.address = d.account;
  RETURN credit;
END $$;
