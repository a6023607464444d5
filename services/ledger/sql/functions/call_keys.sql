-- Calls by the identifier that a payer chose (the x402 extension payment-identifier). A signing key and an identifier are one
-- call, with whichever payments and channels it is paid.
--
-- A key has no state: its call is a reservation, an entry or a claim. Keys are locked after accounts, in the order of their
-- hashes, before anything reads them.

CREATE FUNCTION :release.lock_keys(of_network text, keys text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(h.hash) FROM (
    SELECT DISTINCT hashtextextended('ledger.call_key/' || of_network || '/' || k.key, 0) AS hash
    FROM unnest(keys) AS k(key) ORDER BY 1
  ) h;
END $$;

-- Whether the answer of a call is stored. That of an open payment may outlive its day.
CREATE FUNCTION :release.has_answer(record uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM public.retained_body b
      WHERE b.day = :release.utc_day(:release.time_of(record)) AND b.record_id = record)
    OR EXISTS (SELECT FROM public.retained_body_held h WHERE h.record_id = record)
$$;

-- The call that has an identifier, if one has it. `open`: in progress. `pending`: whether it is paid is not known. `charged`: its
-- answer is kept. An identifier is free again when its call was voided or released, or cannot be paid any more, when the lease of
-- its execution has ended, and when its answer was deleted. An execution of an earlier epoch may have been settled: only the chain
-- can tell.
CREATE FUNCTION :release.find_call(of_network text, of_signer text, identifier text, now_at timestamptz)
  RETURNS TABLE (record_id uuid, fingerprint text, state text) LANGUAGE sql STABLE AS $$
  SELECT * FROM (
    SELECT k.record_id, k.fingerprint::text, CASE
      WHEN c.state = 'executing' AND c.lease_until > now_at THEN 'open'
      -- Without a chain, nothing can be learned later.
      WHEN c.state = 'executing' AND c.from_block IS NOT NULL
        AND c.epoch < (SELECT max(e.number) FROM ledger.epoch e) THEN 'pending'
      WHEN c.state = 'executing' OR (c.state = 'failed' AND (c.is_final OR c.from_block IS NULL)) THEN NULL
      WHEN c.state <> 'settled' THEN 'pending'
      -- Without an attempt, it was settled in the time that a restore lost, and so was its answer.
      WHEN c.state = 'settled' AND c.attempt IS NULL THEN 'charged'
      WHEN EXISTS (SELECT FROM ledger.reservation r WHERE r.id = k.record_id) THEN 'open'
      WHEN :release.has_answer(k.record_id) THEN 'charged'
    END AS state
    FROM ledger.call_key k LEFT JOIN ledger.payment_claim c ON c.claim_id = k.record_id
    WHERE k.network = of_network AND k.signer = of_signer AND k.identifier_hash = identifier
  ) f WHERE f.state IS NOT NULL
$$;

-- calls: [{signer, identifier}]. Answers null for an identifier that is free.
CREATE FUNCTION :release.find_calls(of_network text, calls jsonb)
  RETURNS TABLE (n bigint, record_id uuid, fingerprint text, state text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.open_batch(false);
  RETURN QUERY
    SELECT k.n, f.record_id, f.fingerprint, f.state
    FROM ROWS FROM (jsonb_to_recordset(calls) AS (signer text, identifier text)) WITH ORDINALITY AS k(signer, identifier, n)
      LEFT JOIN LATERAL :release.find_call(of_network, k.signer, k.identifier, ledger.clock()) f ON true
    ORDER BY k.n;
END $$;

-- The execution from which a payment can take its identifier over: its lease has ended.
CREATE FUNCTION :release.abandoned_execution(of_network text, of_signer text, identifier text, now_at timestamptz)
  RETURNS TABLE (claim_id uuid, nonce text) LANGUAGE sql STABLE AS $$
  SELECT c.claim_id, c.nonce::text FROM ledger.call_key k JOIN ledger.payment_claim c ON c.claim_id = k.record_id
  WHERE k.network = of_network AND k.signer = of_signer AND k.identifier_hash = identifier
    AND c.state = 'executing' AND c.lease_until <= now_at
$$;

-- Gives an identifier that is free to a call. An execution whose lease has ended loses its claim, so that it cannot keep an
-- answer any more. False: it keeps one now.
CREATE FUNCTION :release.take_key(of_network text, of_signer text, identifier text, for_record uuid, for_request text,
  now_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  earlier uuid;
BEGIN
  SELECT k.record_id INTO earlier FROM ledger.call_key k
    WHERE k.network = of_network AND k.signer = of_signer AND k.identifier_hash = identifier;
  DELETE FROM ledger.payment_claim c WHERE c.claim_id = (
    SELECT x.claim_id FROM ledger.payment_claim x
    WHERE x.claim_id = earlier AND x.state = 'executing' AND x.lease_until <= now_at FOR UPDATE SKIP LOCKED);
  IF EXISTS (SELECT FROM ledger.payment_claim c WHERE c.claim_id = earlier AND c.state = 'executing')
    OR EXISTS (SELECT FROM :release.find_call(of_network, of_signer, identifier, now_at)) THEN
    RETURN false;
  END IF;
  INSERT INTO ledger.call_key AS k (network, signer, identifier_hash, record_id, fingerprint)
    VALUES (of_network, of_signer, identifier, for_record, for_request)
    ON CONFLICT ON CONSTRAINT call_key_pkey DO UPDATE SET record_id = excluded.record_id, fingerprint = excluded.fingerprint;
  RETURN true;
END $$;

-- Deletes keys of calls that are older than some days, by the earlier of the server's clock and the caller's, unless it is not
-- known whether they are paid. Answers how many.
CREATE FUNCTION :release.drop_keys(days integer, now_at timestamptz, max_keys integer) RETURNS TABLE (dropped bigint)
  LANGUAGE plpgsql AS $$
DECLARE
  first_kept uuid := :release.id_at(least(ledger.clock(), now_at) - make_interval(days => days));
BEGIN
  PERFORM :release.open_batch(false);
  RETURN QUERY
    WITH gone AS (
      DELETE FROM ledger.call_key k WHERE k.record_id = ANY (ARRAY(
        SELECT x.record_id FROM ledger.call_key x
        WHERE x.record_id < first_kept AND NOT EXISTS (SELECT FROM ledger.payment_claim c
          WHERE c.claim_id = x.record_id AND c.state NOT IN ('settled', 'failed'))
        ORDER BY x.record_id LIMIT max_keys FOR UPDATE SKIP LOCKED))
      RETURNING k.record_id
    ) SELECT count(*) FROM gone;
END $$;
