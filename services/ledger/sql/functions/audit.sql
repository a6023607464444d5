-- The invariants of the ledger. Each function is one statement, so it sees one moment, also under live traffic. It is short:
-- a range of accounts, or one day. A standby may be audited too. An audit reads much, so its plans may scan.

-- Wallets after an address, in the order of their bytes, and what is wrong with them. `last_account`: where the next range
-- begins; null if this was the last one.
CREATE FUNCTION :release.audit_wallets(of_network text, after_address text, max_wallets integer)
  RETURNS TABLE (invariant text, subject text, detail text, accounts bigint, last_account text)
  LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  WITH page AS MATERIALIZED (
    SELECT w.* FROM ledger.wallet w WHERE w.network = of_network AND w.address > after_address
    ORDER BY w.address LIMIT max_wallets
  ), bound AS MATERIALIZED (
    -- The last range also covers what has no wallet.
    SELECT count(*) AS accounts, CASE WHEN count(*) = max_wallets THEN max(p.address::text COLLATE "C") END AS last_account
    FROM page p
  ), open AS MATERIALIZED (
    SELECT r.account, sum(r.amount) AS amount FROM ledger.reservation r CROSS JOIN bound b
    WHERE r.network = of_network AND r.kind = 'trial' AND r.account > after_address
      AND (b.last_account IS NULL OR r.account <= b.last_account) GROUP BY r.account
  ), spent AS MATERIALIZED (
    SELECT e.account, sum(e.amount) AS amount FROM ledger.entry e CROSS JOIN bound b
    WHERE e.network = of_network AND e.account > after_address AND length(e.account) = 42
      AND (b.last_account IS NULL OR e.account <= b.last_account) GROUP BY e.account
  ), violation AS (
    SELECT 'grants_add_up' AS invariant, p.address::text AS subject,
      format('granted %s, balance %s, reserved %s, spent %s', p.granted, p.balance, coalesce(open.amount, 0),
        p.carried + coalesce(spent.amount, 0)) AS detail
    FROM page p LEFT JOIN open ON open.account = p.address LEFT JOIN spent ON spent.account = p.address
    WHERE p.granted <> p.balance + p.carried + coalesce(open.amount, 0) + coalesce(spent.amount, 0) OR p.balance < 0
    UNION ALL
    SELECT 'one_grant', p.address::text, format('%s accounts', count(*)) FROM page p GROUP BY p.address
    HAVING count(*) > 1
    UNION ALL
    SELECT 'one_grant', a.account::text, 'no account' FROM (SELECT account FROM open UNION SELECT account FROM spent) a
    WHERE NOT EXISTS (SELECT FROM page p WHERE p.address = a.account)
  )
  SELECT v.invariant, v.subject, v.detail, b.accounts, b.last_account FROM bound b LEFT JOIN violation v ON true
$$;

-- Channels after an id, as `audit_wallets` does. A withdrawal may take what was charged: that is no violation.
CREATE FUNCTION :release.audit_channels(of_network text, after_id text, max_channels integer)
  RETURNS TABLE (invariant text, subject text, detail text, accounts bigint, last_account text)
  LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  WITH page AS MATERIALIZED (
    SELECT k.* FROM ledger.channel k WHERE k.network = of_network AND k.id > after_id ORDER BY k.id LIMIT max_channels
  ), bound AS MATERIALIZED (
    SELECT count(*) AS accounts, CASE WHEN count(*) = max_channels THEN max(p.id::text COLLATE "C") END AS last_account
    FROM page p
  ), spent AS MATERIALIZED (
    SELECT e.account, sum(e.amount) AS amount FROM ledger.entry e CROSS JOIN bound b
    WHERE e.network = of_network AND e.account > after_id AND length(e.account) = 66
      AND (b.last_account IS NULL OR e.account <= b.last_account) GROUP BY e.account
  ), violation AS (
    SELECT 'charges_add_up' AS invariant, p.id::text AS subject,
      format('charged %s, entries %s', p.charged, p.carried + coalesce(spent.amount, 0)) AS detail
    FROM page p LEFT JOIN spent ON spent.account = p.id WHERE p.charged <> p.carried + coalesce(spent.amount, 0)
    UNION ALL
    SELECT 'charges_are_signed', p.id::text,
      format('charged %s, reserved %s, signed for the call %s', p.charged, r.amount, r.signed)
    FROM page p JOIN ledger.reservation r ON r.network = of_network AND r.account = p.id AND r.kind = 'channel'
    WHERE r.signed <> p.charged + r.amount
    UNION ALL
    SELECT 'charges_are_claimed', p.id::text,
      format('claimable %s, claimed %s, and no claim is due', p.claimable, c.total_claimed)
    FROM page p JOIN public.channel c ON c.network = of_network AND c.channel_id = p.id
    WHERE c.total_claimed < p.claimable AND p.unclaimed_since IS NULL
    UNION ALL
    SELECT 'claimed_as_charged', p.id::text, format('claimed %s, charged %s', c.total_claimed, p.charged)
    FROM page p JOIN public.channel c ON c.network = of_network AND c.channel_id = p.id
    WHERE c.total_claimed > p.charged AND p.epoch = (SELECT max(number) FROM ledger.epoch)
    UNION ALL
    SELECT 'charges_add_up', s.account::text, 'no account' FROM spent s
    WHERE NOT EXISTS (SELECT FROM page p WHERE p.id = s.account)
    UNION ALL
    SELECT 'one_open_reservation', r.account::text, format('%s are open', count(*)) FROM page p
      JOIN ledger.reservation r ON r.network = of_network AND r.account = p.id GROUP BY r.account HAVING count(*) > 1
  )
  SELECT v.invariant, v.subject, v.detail, b.accounts, b.last_account FROM bound b LEFT JOIN violation v ON true
$$;

-- A UTC day: what is used of it is what was reserved and posted, and within the largest budget of the day. Ids are at most a
-- day from the clock, so their range finds the entries of the day. Each charge has its answer: its body has the day of its
-- id, and is kept as long as the partition of that day.
CREATE FUNCTION :release.audit_day(of_network text, of_day date)
  RETURNS TABLE (invariant text, subject text, detail text) LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  WITH sums AS (
    SELECT
      (SELECT coalesce(sum(d.used), 0) FROM ledger.trial_day d WHERE d.network = of_network AND d.day = of_day) AS used,
      (SELECT coalesce(max(d.budget), 0) FROM ledger.trial_day d WHERE d.network = of_network AND d.day = of_day) AS budget,
      (SELECT coalesce(sum(r.amount), 0) FROM ledger.reservation r
        WHERE r.network = of_network AND r.kind = 'trial' AND r.day = of_day) AS reserved,
      (SELECT coalesce(sum(e.amount), 0) FROM ledger.entry e
        WHERE e.network = of_network AND e.kind = 'post' AND e.day = of_day
          AND e.id >= :release.id_at((of_day - 1)::timestamp AT TIME ZONE 'UTC')
          AND e.id < :release.id_at((of_day + 2)::timestamp AT TIME ZONE 'UTC')) AS posted
  )
  SELECT 'day_adds_up', of_day::text, format('used %s, reserved %s, posted %s', s.used, s.reserved, s.posted)
  FROM sums s WHERE s.used <> s.reserved + s.posted
  UNION ALL
  SELECT 'day_within_budget', of_day::text, format('used %s of %s', greatest(s.used, s.reserved + s.posted), s.budget)
  FROM sums s WHERE greatest(s.used, s.reserved + s.posted) > s.budget OR s.used < 0
  UNION ALL
  SELECT 'answers_are_kept', e.id::text, 'its answer is missing' FROM ledger.entry e
  WHERE e.network = of_network AND e.kind = 'post'
    AND e.id >= :release.id_at(of_day::timestamp AT TIME ZONE 'UTC')
    AND e.id < :release.id_at((of_day + 1)::timestamp AT TIME ZONE 'UTC')
    AND NOT EXISTS (SELECT FROM public.retained_body b WHERE b.day = of_day AND b.record_id = e.id)
    AND to_regclass('public.retained_body_' || to_char(of_day, 'YYYYMMDD')) IS NOT NULL
$$;

-- Days whose entries may still be kept: also those of which only entries are left. Of the ids, one day more on both sides.
CREATE FUNCTION :release.audited_days(of_network text) RETURNS TABLE (day date) LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  WITH bound AS (
    SELECT :release.utc_day(:release.time_of((SELECT e.id FROM ledger.entry e ORDER BY e.id LIMIT 1))) AS first,
      :release.utc_day(:release.time_of((SELECT e.id FROM ledger.entry e ORDER BY e.id DESC LIMIT 1))) AS last
  )
  SELECT d.day FROM ledger.trial_day d WHERE d.network = of_network
  UNION SELECT r.day FROM ledger.reservation r WHERE r.network = of_network AND r.kind = 'trial'
  UNION SELECT s::date FROM bound b,
    generate_series(b.first::timestamp - interval '1 day', b.last::timestamp + interval '1 day', interval '1 day') AS s
  ORDER BY day
$$;

-- Open reservations: none is posted, and each of a trial has the nonce of its proof to itself.
CREATE FUNCTION :release.audit_reservations(of_network text)
  RETURNS TABLE (invariant text, subject text, detail text, pending bigint) LANGUAGE sql STABLE
  SET enable_seqscan = on SET enable_hashjoin = on SET enable_mergejoin = on SET enable_material = on AS $$
  WITH open AS MATERIALIZED (
    SELECT r.* FROM ledger.reservation r WHERE r.network = of_network
  ), violation AS (
    SELECT 'one_reservation_per_nonce' AS invariant, o.id::text AS subject,
      coalesce('its nonce is of ' || b.reservation_id || ', ' || b.outcome, 'its nonce is missing') AS detail
    FROM open o LEFT JOIN ledger.nonce b
      ON b.network = of_network AND b.expires_at = o.proof_expires_at AND b.nonce = o.nonce
    -- The nonces of older proofs were dropped.
    WHERE o.kind = 'trial' AND o.proof_expires_at >= (SELECT m.dropped_until FROM ledger.nonce_watermark m)
      AND (b.reservation_id, b.outcome) IS DISTINCT FROM (o.id, 'reserved')
    UNION ALL
    SELECT 'charges_add_up', o.account::text, 'open, and no account' FROM open o
    WHERE o.kind <> 'trial' AND NOT EXISTS (SELECT FROM ledger.channel k WHERE k.network = of_network AND k.id = o.account)
    UNION ALL
    SELECT 'one_resolution', o.id::text, 'open, and posted at ' || e.at FROM open o JOIN ledger.entry e ON e.id = o.id
  )
  SELECT v.invariant, v.subject, v.detail, count.pending
  FROM (SELECT count(*) AS pending FROM open) AS count LEFT JOIN violation v ON true
$$;
