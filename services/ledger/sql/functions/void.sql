-- Voids reservations: returns their amounts to the wallets and to the budgets of their days. A channel has its amount
-- again as soon as the reservation is gone. A refund is voided when the chain has refused it, or when public.channel shows
-- that it was paid.
--
-- voids: [{id, reason}]. An id that is neither open nor posted is `unknown`: it was voided before, or never reserved.
-- `busy`: another transaction has the reservation, such as a post that waits for the disk. Ask again by id.
-- `posted`: a post whose server gave up waiting for a standby is seen before it is durable, so the caller must probe before
-- it says so. This commit must not wait for the standbys, because it has the locks of wallets and days.
--
-- Order of locks: the reservations by id, those that are locked skipped; the wallets by bytes; the days in their order.
CREATE FUNCTION :release.void(of_network text, voids jsonb)
  RETURNS TABLE (n bigint, outcome text, credit bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz;
  held uuid[];
  addresses text[];
  returned record;
BEGIN
  PERFORM :release.open_batch(false);
  SELECT coalesce(array_agg(h.id), '{}') INTO STRICT held FROM (
    SELECT r.id FROM ledger.reservation r
    WHERE r.id = ANY (ARRAY(SELECT v.id FROM jsonb_to_recordset(voids) AS v(id uuid))) AND r.network = of_network
    ORDER BY r.id FOR UPDATE SKIP LOCKED
  ) h;
  addresses := ARRAY(SELECT r.account::text FROM ledger.reservation r WHERE r.id = ANY (held) AND r.kind = 'trial');
  PERFORM FROM ledger.wallet w WHERE w.network = of_network AND w.address = ANY (addresses)
    ORDER BY w.address FOR UPDATE;
  now_at := ledger.clock();

  UPDATE ledger.wallet w SET balance = w.balance + back.amount,
    failures = CASE WHEN back.failures = 0 THEN w.failures ELSE
      ARRAY(SELECT f.at FROM unnest(w.failures) AS f(at) WHERE f.at > now_at - interval '1 hour')
        || array_fill(now_at, ARRAY[back.failures]) END
  FROM (
    SELECT r.account, sum(r.amount)::bigint AS amount,
      (count(*) FILTER (WHERE reason.reason = 'caller_failed'))::integer AS failures
    FROM ledger.reservation r JOIN (
      SELECT DISTINCT ON (v.id) v.id, v.reason FROM ROWS FROM (jsonb_to_recordset(voids) AS (id uuid, reason text))
        WITH ORDINALITY AS v(id, reason, n) ORDER BY v.id, v.n
    ) reason USING (id)
    WHERE r.id = ANY (held) AND r.kind = 'trial' GROUP BY r.account
  ) back WHERE w.network = of_network AND w.address = ANY (addresses) AND w.address = back.account;

  FOR returned IN
    SELECT r.day, sum(r.amount)::bigint AS amount FROM ledger.reservation r WHERE r.id = ANY (held) AND r.kind = 'trial'
    GROUP BY r.day ORDER BY r.day
  LOOP
    PERFORM :release.lock_day(of_network, returned.day);
    PERFORM :release.take_from_day(of_network, returned.day, returned.amount);
  END LOOP;

  -- The accounts of what is deleted are needed for the answer.
  RETURN QUERY
    WITH gone AS (DELETE FROM ledger.reservation r WHERE r.id = ANY (held) RETURNING r.id, r.account)
    SELECT v.n, CASE WHEN gone.id IS NOT NULL THEN 'voided' WHEN open.id IS NOT NULL THEN 'busy'
      WHEN e.id IS NOT NULL THEN 'posted' ELSE 'unknown' END, w.balance::bigint
    FROM ROWS FROM (jsonb_to_recordset(voids) AS (id uuid, reason text)) WITH ORDINALITY AS v(id, reason, n)
      LEFT JOIN gone ON gone.id = v.id
      LEFT JOIN LATERAL (SELECT * FROM ledger.reservation x WHERE x.id = v.id AND x.network = of_network LIMIT 1) open ON true
      LEFT JOIN LATERAL (SELECT * FROM ledger.entry x
        WHERE x.id = v.id AND x.network = of_network AND x.kind = 'post' LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT * FROM ledger.wallet x WHERE x.network = of_network
        AND x.address = coalesce(gone.account, open.account, e.account) LIMIT 1) w ON true
    ORDER BY v.n;
END $$;
