-- Claims of payments. Order of locks: the claims by id, the payers by bytes, then the keys of calls.

-- A claim as JSON, with the state that can be trusted: in a later epoch, writes may be lost, and what seems unsent may have
-- been sent.
CREATE FUNCTION :release.describe_claim(c ledger.payment_claim, in_epoch integer, now_at timestamptz) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('claim_id', c.claim_id, 'payer', c.payer, 'pay_to', c.pay_to, 'nonce', c.nonce,
    'amount', c.amount::text, 'valid_before_s', c.valid_before_s, 'digest', c.digest, 'fingerprint', c.fingerprint,
    'offer_secret_hash', c.offer_secret_hash, 'payment_identifier_hash', c.payment_identifier_hash,
    'from_block', c.from_block::text, 'transaction', c.transaction, 'is_final', coalesce(c.is_final, false),
    'payment_response', c.payment_response, 'is_leased', c.lease_until > now_at,
    'state', CASE WHEN c.epoch < in_epoch AND c.state IN ('retained', 'unsent') THEN 'settling' ELSE c.state END)
$$;

CREATE FUNCTION :release.find_claims_by_id(of_network text, ids uuid[])
  RETURNS TABLE (n bigint, claim jsonb) LANGUAGE plpgsql AS $$
DECLARE
  database record;
BEGIN
  database := :release.open_batch(false);
  RETURN QUERY
    SELECT i.n, c.claim FROM unnest(ids) WITH ORDINALITY AS i(id, n)
      LEFT JOIN LATERAL (
        SELECT :release.describe_claim(x, database.epoch, ledger.clock()) AS claim FROM ledger.payment_claim x
        WHERE x.claim_id = i.id AND x.network = of_network LIMIT 1
      ) c ON true
    ORDER BY i.n;
END $$;

-- What payers have in flight, without some nonces: an authorization that expired before a moment moves no money after it.
CREATE FUNCTION :release.in_flight(of_network text, of_asset text, of_payer text, without text[], moment timestamptz)
  RETURNS TABLE (nonce text, amount bigint) LANGUAGE sql STABLE AS $$
  SELECT c.nonce::text, c.amount::bigint FROM ledger.payment_claim c
  WHERE c.payer = of_payer AND c.network = of_network AND c.asset = of_asset AND c.state NOT IN ('settled', 'failed')
    AND to_timestamp(c.valid_before_s) > moment AND c.nonce <> ALL (without)
$$;

-- Failures of a payer in the last hour.
CREATE FUNCTION :release.payer_failures(of_network text, of_payer text, now_at timestamptz) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM ledger.payer p, unnest(p.failures) AS f(at)
  WHERE p.network = of_network AND p.address = of_payer AND f.at > now_at - interval '1 hour'
$$;

-- keys: [{payer, nonce}]. Answers the claim of each payment, null without one or without a nonce, and the state of its payer: the
-- failures, what is in flight, and the time from which `open_claims` counts.
CREATE FUNCTION :release.find_claims(of_network text, of_asset text, keys jsonb)
  RETURNS TABLE (n bigint, claim jsonb, failures bigint, in_flight text[], read_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  now_at timestamptz := ledger.clock();
BEGIN
  database := :release.open_batch(false);
  RETURN QUERY
    SELECT k.n, c.claim, :release.payer_failures(of_network, k.payer, now_at),
      ARRAY(SELECT f.nonce FROM :release.in_flight(of_network, of_asset, k.payer, '{}', now_at) f ORDER BY 1), now_at
    FROM ROWS FROM (jsonb_to_recordset(keys) AS (payer text, nonce text)) WITH ORDINALITY AS k(payer, nonce, n)
      LEFT JOIN LATERAL (
        SELECT :release.describe_claim(x, database.epoch, now_at) AS claim FROM ledger.payment_claim x
        WHERE x.network = of_network AND x.asset = of_asset AND x.payer = k.payer AND x.nonce = k.nonce LIMIT 1
      ) c ON true
    ORDER BY k.n;
END $$;

-- Opens claims, or answers why not.
--
-- asks: [{id, payer, pay_to, nonce, amount, valid_before_s, digest, fingerprint, offer_secret_hash, payment_identifier_hash,
-- from_block, key_id, sealed, lease_ms, replaces, balance, since, without}]. `sealed`: the authorization under the key `key_id`,
-- in base64. `replaces`: the claim to take over, an execution whose lease has ended. `balance`: what the payer has, null if no
-- chain is known; `since`: a time before it was read, or null for now; `without`: nonces of payments that it lacks already.
-- terms: {failures_per_hour, max_open, max_open_unseen}: claims of a payer with and without a known balance.
--
-- `changed`: the payment has another claim than expected, or its identifier another call. `throttled`: the payer failed too often, or
-- has too many claims in flight. `short`: the balance does not cover the amount and `in_flight`, the sum of what is in flight.
-- Claims that are locked are skipped: their owners change them, and may wait for the disk.
CREATE FUNCTION :release.open_claims(of_network text, of_asset text, terms jsonb, asks jsonb)
  RETURNS TABLE (n bigint, outcome text, in_flight numeric) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  now_at timestamptz;
  locked uuid[];
  addresses text[];
  strangers text[];
  ask record;
  current ledger.payment_claim;
  left_out text[];
  number bigint;
BEGIN
  database := :release.open_batch(false);
  SELECT coalesce(array_agg(c.claim_id), '{}') INTO STRICT locked FROM (
    SELECT x.claim_id FROM ledger.payment_claim x
    WHERE x.claim_id = ANY (ARRAY(SELECT a.replaces FROM jsonb_to_recordset(asks) AS a(replaces uuid)))
    ORDER BY x.claim_id FOR UPDATE SKIP LOCKED
  ) c;
  addresses := ARRAY(SELECT DISTINCT a.payer COLLATE "C" FROM jsonb_to_recordset(asks) AS a(payer text) ORDER BY 1);
  WITH added AS (
    INSERT INTO ledger.payer AS p (network, address) SELECT of_network, a.address FROM unnest(addresses) AS a(address)
    WHERE NOT EXISTS (SELECT FROM ledger.payer k WHERE k.network = of_network AND k.address = a.address)
    ORDER BY a.address COLLATE "C" ON CONFLICT DO NOTHING RETURNING p.address
  ) SELECT coalesce(array_agg(a.address::text), '{}') INTO STRICT strangers FROM added a;
  PERFORM FROM ledger.payer p WHERE p.network = of_network AND p.address = ANY (addresses)
    ORDER BY p.address FOR UPDATE;
  PERFORM :release.lock_keys(of_network, ARRAY(
    SELECT a.payer || a.payment_identifier_hash FROM jsonb_to_recordset(asks) AS a(payer text, payment_identifier_hash text)
    WHERE a.payment_identifier_hash IS NOT NULL));
  now_at := ledger.clock();

  FOR ask IN
    SELECT a.* FROM ROWS FROM (jsonb_to_recordset(asks) AS (id uuid, payer text, pay_to text, nonce text, amount bigint,
      valid_before_s bigint, digest text, fingerprint text, offer_secret_hash text, payment_identifier_hash text,
      from_block bigint, key_id text, sealed text, lease_ms double precision, replaces uuid, balance numeric, since timestamptz,
      without text[])) WITH ORDINALITY
      AS a(id, payer, pay_to, nonce, amount, valid_before_s, digest, fingerprint, offer_secret_hash, payment_identifier_hash,
        from_block, key_id, sealed, lease_ms, replaces, balance, since, without, n)
    ORDER BY a.n
  LOOP
    n := ask.n;
    SELECT * INTO current FROM ledger.payment_claim c
      WHERE c.network = of_network AND c.asset = of_asset AND c.payer = ask.payer AND c.nonce = ask.nonce;
    -- An execution that loses its identifier to this payment is never paid.
    left_out := ask.without || ask.nonce || ARRAY(SELECT e.nonce
      FROM :release.abandoned_execution(of_network, ask.payer, ask.payment_identifier_hash, now_at) e);
    SELECT coalesce(sum(f.amount), 0), count(*) INTO STRICT in_flight, number
      FROM :release.in_flight(of_network, of_asset, ask.payer, left_out, coalesce(ask.since, now_at)) f;
    IF ask.balance IS NOT NULL THEN
      -- What was settled since the balance was read is still in it. The chain showed earlier settlements before that.
      in_flight := in_flight + (SELECT coalesce(sum(c.amount), 0) FROM ledger.payment_claim c
        WHERE c.payer = ask.payer AND c.network = of_network AND c.asset = of_asset AND c.settled_at >= ask.since
          AND c.nonce <> ALL (left_out));
    END IF;
    outcome := CASE
      -- The answer to an earlier ask was lost.
      WHEN current.claim_id = ask.id AND current.state = 'executing' THEN 'repeated'
      WHEN current.claim_id IS DISTINCT FROM ask.replaces THEN 'changed'
      WHEN current.claim_id IS NOT NULL AND (current.claim_id <> ALL (locked) OR current.state <> 'executing'
        OR current.lease_until > now_at) THEN 'changed'
      WHEN EXISTS (SELECT FROM :release.find_call(of_network, ask.payer, ask.payment_identifier_hash, now_at)) THEN 'changed'
      WHEN :release.payer_failures(of_network, ask.payer, now_at) >= (terms ->> 'failures_per_hour')::integer
        THEN 'throttled'
      WHEN number >= (terms ->> CASE WHEN ask.balance IS NULL THEN 'max_open_unseen' ELSE 'max_open' END)::integer
        THEN 'throttled'
      WHEN in_flight + ask.amount > ask.balance THEN 'short'
      ELSE 'opened'
    END;
    IF outcome = 'opened' AND ask.payment_identifier_hash IS NOT NULL AND NOT :release.take_key(of_network, ask.payer,
        ask.payment_identifier_hash, ask.id, ask.fingerprint, now_at) THEN
      outcome := 'changed';
    END IF;
    IF outcome = 'opened' THEN
      DELETE FROM ledger.payment_claim c WHERE c.claim_id = ask.replaces;
      INSERT INTO ledger.payment_claim (claim_id, network, asset, payer, pay_to, nonce, amount, valid_before_s, digest, fingerprint,
          offer_secret_hash, payment_identifier_hash, from_block, epoch, lease_until, created_at)
        VALUES (ask.id, of_network, of_asset, ask.payer, ask.pay_to, ask.nonce, ask.amount, ask.valid_before_s,
          ask.digest, ask.fingerprint, ask.offer_secret_hash, ask.payment_identifier_hash, ask.from_block, database.epoch,
          now_at + ask.lease_ms * interval '1 millisecond', now_at);
      INSERT INTO public.payment_authorization (claim_id, network, valid_before_s, key_id, sealed)
        VALUES (ask.id, of_network, ask.valid_before_s, ask.key_id, decode(ask.sealed, 'base64'));
      strangers := array_remove(strangers, ask.payer);
    ELSIF outcome = 'repeated' THEN
      outcome := 'opened';
    END IF;
    RETURN NEXT;
  END LOOP;
  IF strangers <> '{}' THEN
    DELETE FROM ledger.payer p WHERE p.network = of_network AND p.address = ANY (strangers);
  END IF;
END $$;

-- Counts a failure that a payer caused. It waits for the payer's row only, after the claim's.
CREATE FUNCTION :release.count_failure(of_network text, of_payer text, now_at timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ledger.payer AS p (network, address, failures) VALUES (of_network, of_payer, ARRAY[now_at])
    ON CONFLICT ON CONSTRAINT payer_pkey DO UPDATE SET failures =
      ARRAY(SELECT f.at FROM unnest(p.failures) AS f(at) WHERE f.at > now_at - interval '1 hour') || now_at
$$;

-- Ends executions without a result, and deletes their authorizations. releases: [{id, is_callers_fault}]. Only an executing
-- claim is deleted. `busy`: another transaction has it; ask again by id.
CREATE FUNCTION :release.release_claims(of_network text, releases jsonb)
  RETURNS TABLE (n bigint, outcome text) LANGUAGE plpgsql AS $$
DECLARE
  held uuid[];
  gone record;
BEGIN
  PERFORM :release.open_batch(false);
  held := ARRAY(SELECT x.claim_id FROM (
    SELECT c.claim_id FROM ledger.payment_claim c
    WHERE c.claim_id = ANY (ARRAY(SELECT r.id FROM jsonb_to_recordset(releases) AS r(id uuid))) AND c.network = of_network
      AND c.state = 'executing'
    ORDER BY c.claim_id FOR UPDATE SKIP LOCKED
  ) x);
  RETURN QUERY
    SELECT r.n, CASE WHEN r.id = ANY (held) THEN 'released' WHEN c.state = 'executing' THEN 'busy' ELSE 'kept' END
    FROM ROWS FROM (jsonb_to_recordset(releases) AS (id uuid)) WITH ORDINALITY AS r(id, n)
      LEFT JOIN LATERAL (SELECT * FROM ledger.payment_claim x
        WHERE x.claim_id = r.id AND x.network = of_network LIMIT 1) c ON true
    ORDER BY r.n;
  FOR gone IN
    WITH ended AS (DELETE FROM ledger.payment_claim c WHERE c.claim_id = ANY (held) RETURNING c.claim_id, c.payer)
    SELECT e.payer FROM ended e WHERE e.claim_id = ANY (ARRAY(
      SELECT r.id FROM jsonb_to_recordset(releases) AS r(id uuid, is_callers_fault boolean) WHERE r.is_callers_fault))
    ORDER BY e.payer
  LOOP
    PERFORM :release.count_failure(of_network, gone.payer, ledger.clock());
  END LOOP;
END $$;

-- Locks claims by id. A row that is skipped would look like one that is gone, so it waits, as post does.
CREATE FUNCTION :release.lock_claims(of_network text, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('lock_timeout', CASE cardinality(ids) WHEN 1 THEN '3s' ELSE '2s' END, true);
  PERFORM FROM ledger.payment_claim c WHERE c.claim_id = ANY (ids) AND c.network = of_network
    ORDER BY c.claim_id FOR UPDATE;
END $$;

-- Begins attempts to settle. attempts: [{id, attempt, lease_ms}]. Only one attempt of a claim is alive. is_durable: the
-- commit waits for the disk, as it must where something is sent without a note.
--
-- `gone`: released, taken over, never opened, or without an answer that is kept. `claim`: as it was before. `key_id`, `sealed`: its
-- authorization; null if none is stored.
CREATE FUNCTION :release.start_settling(of_network text, attempts jsonb, is_durable boolean)
  RETURNS TABLE (n bigint, outcome text, claim jsonb, key_id text, sealed bytea) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  now_at timestamptz;
  ask record;
  current ledger.payment_claim;
BEGIN
  database := :release.open_batch(is_durable);
  PERFORM :release.lock_claims(of_network, ARRAY(SELECT a.id FROM jsonb_to_recordset(attempts) AS a(id uuid)));
  now_at := ledger.clock();
  FOR ask IN
    SELECT a.* FROM ROWS FROM (jsonb_to_recordset(attempts) AS (id uuid, attempt uuid, lease_ms double precision))
      WITH ORDINALITY AS a(id, attempt, lease_ms, n) ORDER BY a.n
  LOOP
    SELECT * INTO current FROM ledger.payment_claim c WHERE c.claim_id = ask.id AND c.network = of_network;
    n := ask.n;
    claim := CASE WHEN current.claim_id IS NOT NULL THEN :release.describe_claim(current, database.epoch, now_at) END;
    outcome := CASE
      -- Nothing is paid for an answer that is not kept.
      WHEN current.claim_id IS NULL OR current.state = 'executing' THEN 'gone'
      WHEN current.state IN ('settled', 'failed') THEN 'resolved'
      WHEN current.state = 'settling' AND current.lease_until > now_at AND current.attempt IS DISTINCT FROM ask.attempt
        THEN 'busy'
      ELSE 'started'
    END;
    SELECT a.key_id, a.sealed INTO key_id, sealed FROM public.payment_authorization a
      WHERE outcome = 'started' AND a.claim_id = ask.id;
    IF outcome = 'started' THEN
      UPDATE ledger.payment_claim c SET state = 'settling', attempt = ask.attempt, epoch = database.epoch,
        lease_until = now_at + ask.lease_ms * interval '1 millisecond' WHERE c.claim_id = ask.id;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Notes signed transactions before they are sent, and stores them with the others of their signers. notes: [{id, attempt,
-- transaction, signer, nonce}]. `lost`: another attempt has the claim, or it has ended, and nothing may be sent.
CREATE FUNCTION :release.note_transactions(of_network text, notes jsonb)
  RETURNS TABLE (n bigint, outcome text) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  ask record;
BEGIN
  database := :release.open_batch(true);
  PERFORM :release.lock_claims(of_network, ARRAY(SELECT a.id FROM jsonb_to_recordset(notes) AS a(id uuid)));
  FOR ask IN
    SELECT a.* FROM ROWS FROM (jsonb_to_recordset(notes) AS (id uuid, attempt uuid, transaction text, signer text, nonce bigint))
      WITH ORDINALITY AS a(id, attempt, transaction, signer, nonce, n) ORDER BY a.n
  LOOP
    UPDATE ledger.payment_claim c SET transaction = ask.transaction, epoch = database.epoch
      WHERE c.claim_id = ask.id AND c.network = of_network AND c.state = 'settling'
        AND c.attempt = ask.attempt;
    n := ask.n;
    outcome := CASE WHEN FOUND THEN 'noted' ELSE 'lost' END;
    INSERT INTO public.signer_transaction (network, hash, first_hash, signer, nonce, scheme)
      SELECT of_network, ask.transaction, ask.transaction, ask.signer, ask.nonce, 'exact' WHERE outcome = 'noted' ON CONFLICT DO NOTHING;
    RETURN NEXT;
  END LOOP;
END $$;

-- Stores results. results: [{id, attempt, state, is_final, payment_response, transaction, is_payers_fault, has_ended}]. The states
-- are settled, failed, unsent, and pending: sent, or possibly sent. `has_ended`: nothing is sent for the claim any more, so its
-- authorization is deleted. A proven result, settled or final, is taken from anyone and
-- never changes; any other is taken from the present attempt only. is_durable: the commit waits for the disk, as it must for a
-- settlement, whose result is delivered, and for every outcome where no chain can be asked again.
CREATE FUNCTION :release.finish_claims(of_network text, results jsonb, is_durable boolean)
  RETURNS TABLE (n bigint, outcome text) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  now_at timestamptz;
  ask record;
  current ledger.payment_claim;
  is_proven boolean;
BEGIN
  database := :release.open_batch(is_durable);
  PERFORM :release.lock_claims(of_network, ARRAY(SELECT a.id FROM jsonb_to_recordset(results) AS a(id uuid)));
  -- The payers after the claims, in their order. A commit that waits for the disk holds none, because claims are opened under
  -- their locks: `count_failures` follows it.
  PERFORM FROM ledger.payer p WHERE NOT is_durable AND p.network = of_network AND p.address = ANY (ARRAY(
      SELECT c.payer::text FROM ledger.payment_claim c WHERE c.claim_id = ANY (ARRAY(
        SELECT a.id FROM jsonb_to_recordset(results) AS a(id uuid, is_payers_fault boolean) WHERE a.is_payers_fault))))
    ORDER BY p.address FOR UPDATE;
  now_at := ledger.clock();
  FOR ask IN
    SELECT a.* FROM ROWS FROM (jsonb_to_recordset(results) AS (id uuid, attempt uuid, state text, is_final boolean,
      payment_response text, transaction text, is_payers_fault boolean, has_ended boolean)) WITH ORDINALITY
      AS a(id, attempt, state, is_final, payment_response, transaction, is_payers_fault, has_ended, n) ORDER BY a.n
  LOOP
    SELECT * INTO current FROM ledger.payment_claim c WHERE c.claim_id = ask.id AND c.network = of_network;
    is_proven := ask.state = 'settled' OR (ask.state = 'failed' AND ask.is_final);
    n := ask.n;
    outcome := CASE
      WHEN current.claim_id IS NULL THEN 'gone'
      WHEN current.is_final THEN 'kept'
      WHEN NOT is_proven AND (current.state <> 'settling' OR current.attempt IS DISTINCT FROM ask.attempt) THEN 'kept'
      ELSE 'finished'
    END;
    IF outcome = 'finished' THEN
      UPDATE ledger.payment_claim c SET epoch = database.epoch, lease_until = '-infinity',
        state = CASE ask.state WHEN 'pending' THEN c.state ELSE ask.state END,
        is_final = CASE WHEN ask.state IN ('settled', 'failed') THEN is_proven END,
        payment_response = CASE WHEN ask.state IN ('settled', 'failed') THEN ask.payment_response END,
        transaction = coalesce(ask.transaction, c.transaction), settled_at = CASE ask.state WHEN 'settled' THEN now_at END,
        due_at = CASE WHEN NOT is_proven AND NOT (is_durable AND ask.state = 'failed') THEN c.due_at END
        WHERE c.claim_id = ask.id;
      IF ask.has_ended THEN
        DELETE FROM public.payment_authorization a WHERE a.claim_id = ask.id;
      END IF;
      -- One payment is one failure.
      IF ask.is_payers_fault AND NOT is_durable AND current.state <> 'failed' THEN
        PERFORM :release.count_failure(of_network, current.payer, now_at);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Counts failures of payers that were stored by a commit that waits for the disk.
CREATE FUNCTION :release.count_failures(of_network text, payers text[]) RETURNS TABLE (n bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := ledger.clock();
  payer text;
BEGIN
  PERFORM :release.open_batch(false);
  FOREACH payer IN ARRAY ARRAY(SELECT p.address FROM unnest(payers) AS p(address) ORDER BY p.address COLLATE "C") LOOP
    PERFORM :release.count_failure(of_network, payer, now_at);
  END LOOP;
END $$;

-- Takes claims that are due and postpones them, each time for twice as long, from five seconds to an hour. So another copy
-- does not take them, and if this copy dies they are due again later. Nobody waits for this commit.
CREATE FUNCTION :release.take_due_claims(of_network text, max_claims integer)
  RETURNS TABLE (claim_id uuid) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM :release.open_batch(false);
  RETURN QUERY
    UPDATE ledger.payment_claim c SET tries = c.tries + 1,
      due_at = ledger.clock() + least(interval '1 hour', interval '5 seconds' * power(2, least(c.tries, 16)))
    WHERE c.claim_id = ANY (ARRAY(SELECT x.claim_id FROM (
      SELECT d.claim_id FROM ledger.payment_claim d WHERE d.due_at <= ledger.clock() AND d.network = of_network
      ORDER BY d.due_at LIMIT max_claims FOR UPDATE SKIP LOCKED) x))
    RETURNING c.claim_id;
END $$;

-- Deletes executions that nobody took over, and authorizations, a day after they expired. Answers the larger of both numbers.
-- An execution of an earlier epoch may have been settled: it stays until the chain, if one is known, proves what became of it.
CREATE FUNCTION :release.drop_executions(of_network text, max_claims integer) RETURNS TABLE (dropped bigint) LANGUAGE plpgsql AS $$
DECLARE
  database record;
BEGIN
  database := :release.open_batch(false);
  RETURN QUERY
    WITH ended AS (
      DELETE FROM public.payment_authorization a WHERE a.claim_id = ANY (ARRAY(SELECT x.claim_id FROM (
        SELECT d.claim_id FROM public.payment_authorization d
        WHERE d.network = of_network AND d.valid_before_s < extract(epoch FROM ledger.clock() - interval '1 day')
        LIMIT max_claims FOR UPDATE SKIP LOCKED) x))
      RETURNING a.claim_id
    ), gone AS (
      DELETE FROM ledger.payment_claim c WHERE c.claim_id = ANY (ARRAY(SELECT x.claim_id FROM (
        SELECT d.claim_id FROM ledger.payment_claim d
        WHERE d.network = of_network AND d.state = 'executing' AND d.lease_until < ledger.clock()
          AND to_timestamp(d.valid_before_s) < ledger.clock() - interval '1 day'
          AND (d.epoch = database.epoch OR d.from_block IS NULL)
        LIMIT max_claims FOR UPDATE SKIP LOCKED) x))
      RETURNING c.claim_id
    ) SELECT greatest((SELECT count(*) FROM gone), (SELECT count(*) FROM ended));
END $$;
