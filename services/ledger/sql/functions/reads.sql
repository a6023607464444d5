-- What callers and operators read. Reads take no lock.

-- Today, and what trials used of it: what they spent and reserved.
CREATE FUNCTION :release.used_today(of_network text) RETURNS TABLE (today date, used bigint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  today := :release.utc_day(ledger.clock());
  SELECT coalesce(sum(d.used), 0)::bigint INTO STRICT used FROM ledger.trial_day d
    WHERE d.network = of_network AND d.day = today;
  RETURN NEXT;
END $$;

-- Today with its use, and the open reservations.
CREATE FUNCTION :release.figures(of_network text)
  RETURNS TABLE (today date, used bigint, open bigint, reserved bigint, oldest timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
    SELECT u.today, u.used, r.open, r.reserved, r.oldest FROM :release.used_today(of_network) u CROSS JOIN (
      SELECT count(*) AS open, coalesce(sum(o.amount), 0)::bigint AS reserved, min(:release.time_of(o.id)) AS oldest
      FROM ledger.reservation o WHERE o.network = of_network
    ) r;
END $$;

-- Open calls, or refunds, whose deadline passed more than `grace_ms` ago, the oldest deadline first. Null: all.
CREATE FUNCTION :release.overdue(of_network text, are_refunds boolean, grace_ms bigint, max_rows integer)
  RETURNS TABLE (id uuid, account text, operation text, amount bigint, deadline timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  RETURN QUERY
    SELECT r.id, r.account::text, r.operation::text, r.amount::bigint, r.deadline FROM ledger.reservation r
    WHERE r.network = of_network AND (r.kind = 'refund') = are_refunds
      AND r.deadline < coalesce(ledger.clock() - grace_ms * interval '1 millisecond', 'infinity')
    ORDER BY r.deadline, r.id LIMIT max_rows;
END $$;

-- The accounts of channels, in order. One that the ledger does not know has charged nothing.
CREATE FUNCTION :release.channels(of_network text, ids jsonb)
  RETURNS TABLE (n bigint, funded bigint, charged bigint, reserved bigint, signed bigint, signature bytea, key_id text,
    charge_id uuid, balance bigint, total_claimed bigint, refund_nonce bigint, withdraw_requested_at_s bigint)
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  RETURN QUERY
    SELECT i.n, c.funded, c.charged, c.reserved, c.signed, c.signature, c.key_id, c.charge_id, c.balance,
      c.total_claimed, c.refund_nonce, c.withdraw_requested_at_s
    FROM jsonb_array_elements_text(ids) WITH ORDINALITY AS i(id, n)
      CROSS JOIN LATERAL :release.channel_accounts(of_network, ARRAY[i.id]) c
    ORDER BY i.n;
END $$;

-- Voids what is overdue. It has no answer, because a charge and its answer are one commit. A reservation that is locked is
-- left for the next sweep. What was reserved by a clock that was ahead, and is set back, gets its time from now on.
CREATE FUNCTION :release.sweep(of_network text, grace_ms bigint, max_rows integer)
  RETURNS TABLE (outcome text, items bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := ledger.clock();
BEGIN
  PERFORM :release.open_batch(false);
  UPDATE ledger.reservation r SET reserved_at = now_at, deadline = now_at + (r.deadline - r.reserved_at)
    WHERE r.id = ANY (ARRAY(SELECT x.id FROM ledger.reservation x
      WHERE x.network = of_network AND x.reserved_at > now_at + interval '1 second' ORDER BY x.id FOR UPDATE SKIP LOCKED));
  RETURN QUERY
    SELECT v.outcome, count(*) FROM :release.void(of_network, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'reason', 'swept')), '[]')
      FROM :release.overdue(of_network, false, grace_ms, max_rows) o
    )) v GROUP BY v.outcome;
END $$;

-- The account of a wallet. No row for a wallet without a grant.
CREATE FUNCTION :release.wallet(of_network text, of_address text)
  RETURNS TABLE (granted bigint, balance bigint, reserved bigint, spent bigint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  RETURN QUERY
    SELECT w.granted::bigint, w.balance::bigint,
      (SELECT coalesce(sum(r.amount), 0)::bigint FROM ledger.reservation r
        WHERE r.network = w.network AND r.account = w.address AND r.kind = 'trial'),
      w.carried + (SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger.entry e
        WHERE e.network = w.network AND e.account = w.address)
    FROM ledger.wallet w WHERE w.network = of_network AND w.address = of_address;
END $$;

-- Today's grants by scope, the most first.
CREATE FUNCTION :release.grants(of_network text) RETURNS TABLE (scope text, grants integer) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.assert_primary();
  RETURN QUERY
    SELECT g.scope::text, g.grants FROM ledger.grant_scope g
    WHERE g.network = of_network AND g.day = :release.utc_day(ledger.clock()) AND g.grants > 0
    ORDER BY g.grants DESC, g.scope COLLATE "C";
END $$;

-- Sets today's grants of a scope to 0, and answers how many there were. No row if there were none. Balances stay.
CREATE FUNCTION :release.reset_grants(of_network text, of_scope text) RETURNS TABLE (grants integer) LANGUAGE plpgsql AS $$
DECLARE
  today date := :release.utc_day(ledger.clock());
BEGIN
  PERFORM :release.open_batch(false);
  -- A reserve that has the day must not wait for this row.
  PERFORM :release.lock_day(of_network, today);
  RETURN QUERY
    DELETE FROM ledger.grant_scope g WHERE g.network = of_network AND g.day = today AND g.scope = of_scope
    RETURNING g.grants;
END $$;
