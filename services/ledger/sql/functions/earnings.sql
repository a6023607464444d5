-- What the seller earned. A day is summed once it is over, so that reads look at a few days of calls only. Trials are no
-- income, and no row is shared by calls.

-- Sales, settlements and gas from one time until before another, by UTC day. A sale of `exact` counts when it is settled; a
-- channel is charged with each call, and settled by claims, which are for many calls.
CREATE FUNCTION :release.earning_events(since timestamptz, until timestamptz)
  RETURNS TABLE (network text, day date, scheme text, operation text, calls bigint, sold bigint, settled bigint,
    gas_wei numeric, unknown_gas bigint) LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  SELECT c.network, :release.utc_day(c.settled_at), 'exact', coalesce(c.operation, 'unknown'), count(*),
    sum(c.amount)::bigint, sum(c.amount)::bigint, 0, count(*) FILTER (WHERE NOT EXISTS (
      SELECT FROM public.signer_transaction t WHERE t.network = c.network AND t.hash = c.transaction))
  FROM ledger.payment_claim c WHERE c.settled_at >= since AND c.settled_at < until GROUP BY 1, 2, 4
  UNION ALL
  SELECT e.network, :release.utc_day(e.at), 'batch-settlement', coalesce(e.operation, 'unknown'),
    count(*) FILTER (WHERE e.kind = 'post'), sum(e.amount)::bigint, 0, 0, 0
  FROM ledger.entry e WHERE e.day IS NULL AND e.at >= since AND e.at < until GROUP BY 1, 2, 4
  UNION ALL
  SELECT k.network, :release.utc_day(k.at), 'batch-settlement', '-', 0, 0, sum(k.amount)::bigint, 0, 0
  FROM public.channel_claim k WHERE k.at >= since AND k.at < until GROUP BY 1, 2
  UNION ALL
  SELECT t.network, :release.utc_day(t.known_at), t.scheme, '-', 0, 0, 0, coalesce(sum(t.cost_wei), 0),
    count(*) FILTER (WHERE t.cost_wei IS NULL)
  FROM public.signer_transaction t WHERE t.known_at >= since AND t.known_at < until GROUP BY 1, 2, 3
$$;

-- Sums the days before yesterday that are not summed yet. As for entries, the earlier of the server's clock and the
-- caller's decides. Entries are dropped much later.
CREATE FUNCTION :release.sum_earnings(now_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  since date;
  until date := :release.utc_day(least(ledger.clock(), now_at)) - 1;
BEGIN
  PERFORM :release.open_upkeep();
  SELECT w.summed_until INTO STRICT since FROM ledger.earning_watermark w FOR UPDATE;
  IF since >= until THEN
    RETURN;
  END IF;
  INSERT INTO ledger.earning AS s
    SELECT e.network, e.day, e.scheme, e.operation, sum(e.calls), sum(e.sold), sum(e.settled), sum(e.gas_wei),
      sum(e.unknown_gas)
    FROM :release.earning_events(since::timestamp AT TIME ZONE 'UTC', until::timestamp AT TIME ZONE 'UTC') e
    GROUP BY e.network, e.day, e.scheme, e.operation
    ON CONFLICT ON CONSTRAINT earning_pkey DO UPDATE SET calls = s.calls + excluded.calls, sold = s.sold + excluded.sold,
      settled = s.settled + excluded.settled, gas_wei = s.gas_wei + excluded.gas_wei,
      unknown_gas = s.unknown_gas + excluded.unknown_gas;
  UPDATE ledger.earning_watermark w SET summed_until = until;
END $$;

-- All earnings by network, UTC day, scheme and operation. A payment that the chain lost is taken from its day. `claimable`
-- is what the contract still holds for charges; it has no day, as it is so now.
CREATE FUNCTION :release.earnings()
  RETURNS TABLE (network text, day date, scheme text, operation text, calls bigint, sold bigint, settled bigint,
    claimable bigint, refunded bigint, gas_wei numeric, unknown_gas bigint) LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  SELECT x.network, x.day, x.scheme, x.operation, sum(x.calls)::bigint, sum(x.sold)::bigint, sum(x.settled)::bigint,
    sum(x.claimable)::bigint, sum(x.refunded)::bigint, sum(x.gas_wei), sum(x.unknown_gas)::bigint
  FROM (
    SELECT s.network::text, s.day, s.scheme, s.operation::text, s.calls, s.sold, s.settled, 0 AS claimable, 0 AS refunded,
      s.gas_wei, s.unknown_gas FROM ledger.earning s
    UNION ALL
    SELECT e.network, e.day, e.scheme, e.operation, e.calls, e.sold, e.settled, 0, 0, e.gas_wei, e.unknown_gas
    FROM ledger.earning_watermark w, :release.earning_events(w.summed_until::timestamp AT TIME ZONE 'UTC', 'infinity') e
    UNION ALL
    SELECT c.network, :release.utc_day(c.settled_at), 'exact', coalesce(c.operation, 'unknown'), -1, -c.amount, -c.amount,
      0, 0, 0, 0 FROM ledger.payment_claim c WHERE c.lost_at IS NOT NULL
    UNION ALL
    SELECT r.network, :release.utc_day(r.finalized_at), 'exact', coalesce(c.operation, 'unknown'), 0, 0, 0, 0, r.amount, 0, 0
    FROM public.payment_refund r LEFT JOIN ledger.payment_claim c ON c.claim_id = r.claim_id
    WHERE r.finalized_at IS NOT NULL
    UNION ALL
    SELECT k.network, NULL, 'batch-settlement', '-', 0, 0, 0,
      greatest(least(k.charged, f.balance) - f.total_claimed, 0), 0, 0, 0
    FROM ledger.channel k JOIN public.channel f ON f.network = k.network AND f.channel_id = k.id COLLATE "default"
  ) x GROUP BY 1, 2, 3, 4 ORDER BY 1, 2 NULLS LAST, 3, 4
$$;
