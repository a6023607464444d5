-- Charges reservations of calls and stores the answers that they are charged for, in one commit, which waits for the disk.
--
-- calls: [{id, request_id, key_id, request_size, response_size}], in which request_id may be null.
-- bodies: the sealed request and response of each call, one after the other.
--
-- Locks the reservations by id, then their channels by bytes. It never skips one, because a skipped row would look like
-- `unknown`. It touches no row that calls share: the amount left the balance of the wallet when it was reserved, and a
-- channel has one call at a time.
CREATE TYPE :release.call AS (id uuid, request_id uuid, key_id text, operation text, due_in_ms double precision,
  start integer, request_size integer, response_size integer, n integer);

CREATE FUNCTION :release.post(of_network text, calls jsonb, bodies bytea)
  RETURNS TABLE (n bigint, outcome text, credit bigint) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  setting text;
  batch :release.call[];
  now_at timestamptz;
  held uuid[];
  names text[];
BEGIN
  database := :release.open_batch(true);
  -- The calls of a batch that waited in vain are repeated alone. Both together are shorter than clients wait, so that they
  -- learn that nothing was done.
  setting := set_config('lock_timeout', CASE jsonb_array_length(calls) WHEN 1 THEN '3s' ELSE '2s' END, true);
  IF jsonb_array_length(calls) = 1 THEN
    credit := :release.post_one(of_network, jsonb_populate_record(NULL:::release.call, calls -> 0), bodies);
    IF credit IS NOT NULL THEN
      n := 1;
      outcome := 'posted';
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;
  batch := :release.read_calls(calls, length(bodies));
  SELECT coalesce(array_agg(h.id), '{}'), coalesce(array_agg(h.account) FILTER (WHERE h.kind = 'channel'), '{}')
    INTO STRICT held, names FROM (
      SELECT r.id, r.account::text, r.kind FROM ledger.reservation r
      WHERE r.id = ANY (ARRAY(SELECT c.id FROM unnest(batch) c)) AND r.network = of_network AND r.kind <> 'refund'
      ORDER BY r.id FOR UPDATE
    ) h;
  now_at := ledger.clock();
  IF names <> '{}' THEN
    PERFORM FROM ledger.channel k WHERE k.network = of_network AND k.id = ANY (names) ORDER BY k.id FOR UPDATE;
  END IF;

  WITH call AS MATERIALIZED (
    SELECT DISTINCT ON (c.id) c.* FROM unnest(batch) c WHERE c.id = ANY (held) ORDER BY c.id, c.n
  ), charged AS (
    DELETE FROM ledger.reservation r WHERE r.id = ANY (held) RETURNING r.*
  ), booked AS (
    INSERT INTO ledger.entry (id, network, account, kind, amount, day, at, operation)
    SELECT d.id, d.network, d.account, 'post', d.amount, d.day, now_at, CASE d.kind WHEN 'channel' THEN d.operation END
    FROM charged d
  ), signed AS (
    UPDATE ledger.channel k SET charged = k.charged + d.amount, signed = d.signed, signature = d.signature,
      key_id = d.key_id, repeat_key = d.repeat_key, charge_id = d.id,
      claimable = CASE WHEN d.signed > k.signed THEN k.signed ELSE k.claimable END,
      claimable_signature = CASE WHEN d.signed > k.signed THEN k.signature ELSE k.claimable_signature END,
      claimable_key_id = CASE WHEN d.signed > k.signed THEN k.key_id ELSE k.claimable_key_id END,
      unclaimed_since = CASE WHEN k.signed > 0 THEN coalesce(k.unclaimed_since, now_at) END
    FROM charged d WHERE k.network = of_network AND k.id = ANY (names) AND k.id = d.account
  )
  INSERT INTO public.retained_body (day, record_id, access, operation, key_id, request_body, response_body, request_id)
  SELECT :release.utc_day(:release.time_of(d.id)), d.id, d.kind, d.operation, c.key_id,
    substring(bodies FROM c.start + 1 FOR c.request_size),
    substring(bodies FROM c.start + c.request_size + 1 FOR c.response_size), c.request_id
  FROM charged d JOIN call c ON c.id = d.id;

  -- An entry that another transaction wrote may be seen before it is on the standbys. Then this commit waits for it.
  IF cardinality(held) < cardinality(batch) THEN
    PERFORM pg_logical_emit_message(true, 'ledger', '');
  END IF;

  RETURN QUERY
    SELECT c.n::bigint, CASE WHEN e.id IS NULL THEN 'unknown' ELSE 'posted' END, w.balance::bigint
    FROM unnest(batch) c
      LEFT JOIN LATERAL (SELECT * FROM ledger.entry x
        WHERE x.id = c.id AND x.network = of_network AND x.kind = 'post' LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT * FROM ledger.wallet x
        WHERE x.network = of_network AND x.address = e.account LIMIT 1) w ON true
    ORDER BY c.n;
END $$;

-- Stores the answers of calls that claims pay for, before they are settled, in one commit, which waits for the disk.
--
-- calls: as of post, with the operation, and after how long to ask what became of the claim.
CREATE FUNCTION :release.keep(of_network text, calls jsonb, bodies bytea)
  RETURNS TABLE (n bigint, outcome text) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  batch :release.call[];
  kept uuid[];
  now_at timestamptz;
BEGIN
  database := :release.open_batch(true);
  batch := :release.read_calls(calls, length(bodies));
  PERFORM :release.lock_claims(of_network, ARRAY(SELECT c.id FROM unnest(batch) c));
  now_at := ledger.clock();
  kept := ARRAY(SELECT c.claim_id FROM ledger.payment_claim c
    WHERE c.claim_id = ANY (ARRAY(SELECT k.id FROM unnest(batch) k)) AND c.network = of_network AND c.state = 'executing');
  UPDATE ledger.payment_claim c SET state = 'retained', epoch = database.epoch, lease_until = '-infinity',
    operation = k.operation, due_at = now_at + k.due_in_ms * interval '1 millisecond'
    FROM (SELECT DISTINCT ON (b.id) b.* FROM unnest(batch) b ORDER BY b.id, b.n) k
    WHERE c.claim_id = k.id AND c.claim_id = ANY (kept);
  INSERT INTO public.retained_body (day, record_id, access, operation, key_id, request_body, response_body, request_id)
    SELECT DISTINCT ON (c.id) :release.utc_day(:release.time_of(c.id)), c.id, 'payment', c.operation, c.key_id,
      substring(bodies FROM c.start + 1 FOR c.request_size),
      substring(bodies FROM c.start + c.request_size + 1 FOR c.response_size), c.request_id
    FROM unnest(batch) c WHERE c.id = ANY (kept) ORDER BY c.id, c.n;
  -- As in post: what another transaction kept may be seen before it is on the standbys.
  IF cardinality(kept) < cardinality(batch) THEN
    PERFORM pg_logical_emit_message(true, 'ledger', '');
  END IF;
  RETURN QUERY
    SELECT c.n::bigint, CASE WHEN p.claim_id IS NULL THEN 'superseded' ELSE 'kept' END
    FROM unnest(batch) c
      LEFT JOIN LATERAL (SELECT * FROM ledger.payment_claim x
        WHERE x.claim_id = c.id AND x.network = of_network LIMIT 1) p ON true
    ORDER BY c.n;
END $$;

-- The calls of a batch, and where the bodies of each start.
CREATE FUNCTION :release.read_calls(calls jsonb, size integer) RETURNS :release.call[] LANGUAGE plpgsql AS $$
DECLARE
  batch :release.call[];
  total bigint;
BEGIN
  SELECT coalesce(array_agg(ROW(c.id, c.request_id, c.key_id, c.operation, c.due_in_ms, c.until - c.request_size - c.response_size, c.request_size,
      c.response_size, c.n):::release.call), '{}'), coalesce(max(c.until), 0)
    INTO STRICT batch, total FROM (
      SELECT c.*, sum(c.request_size + c.response_size) OVER (ORDER BY c.n) AS until
      FROM ROWS FROM (jsonb_to_recordset(calls) AS (id uuid, request_id uuid, key_id text, operation text,
        due_in_ms double precision, request_size integer, response_size integer))
        WITH ORDINALITY AS c(id, request_id, key_id, operation, due_in_ms, request_size, response_size, n)
    ) c;
  IF total <> size THEN
    RAISE EXCEPTION 'the sizes of the bodies do not add up' USING ERRCODE = '22023';
  END IF;
  RETURN batch;
END $$;
