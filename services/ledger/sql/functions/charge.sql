-- Reserves amounts of channels for calls, or for refunds on the chain, or answers why not. The channels and ids of a batch
-- are distinct.
--
-- asks: [{id, channel, kind, cumulative, signature, key_id, repeat_key, amount, operation, deadline, signer, identifier,
-- fingerprint, is_new}]. The kind is `channel` or `refund`. The repeat_key and the identifier may be null, and of a refund the amount,
-- for all that is left, and the signature with its key_id. Signatures are sealed, and as repeat_keys hexadecimal.
--
-- Outcomes are those of ledger.proto, `out_of_range` (the id is of another day), and `again`: another transaction has the
-- channel, which does not wait for the disk.
--
-- Locks the channels, by bytes, and then the keys of calls. It skips channels that are locked: a post that waits for the disk
-- has its own.
CREATE TYPE :release.charge_ask AS (id uuid, channel text, kind text, cumulative bigint, signature bytea, key_id text,
  repeat_key bytea, amount bigint, operation text, deadline timestamptz, signer text, identifier text, is_new boolean,
  fingerprint text, n integer);

CREATE FUNCTION :release.charge(of_network text, asks jsonb)
  RETURNS TABLE (n bigint, outcome text, held bigint, funded bigint, charged bigint, reserved bigint, signed bigint,
    signature bytea, key_id text, charge_id uuid, balance bigint, total_claimed bigint, refund_nonce bigint,
    withdraw_requested_at_s bigint) LANGUAGE plpgsql AS $$
DECLARE
  database record;
  batch :release.charge_ask[];
  is_distinct boolean;
  now_at timestamptz;
  names text[];
  locked text[];
  ask record;
  call record;
  is_settled boolean;
  is_read boolean;
  before bigint;
  outcomes text[] := '{}';
  -- Positions of the asks that reserve, and what they reserve.
  reserving integer[] := '{}';
  amounts bigint[] := '{}';
  -- The calls of repeated vouchers. When the accounts are read again, the next call may be posted.
  charge_ids uuid[] := '{}';
BEGIN
  database := :release.open_batch(false);
  batch := :release.read_charges(asks);
  SELECT coalesce(array_agg(a.channel), '{}'), count(DISTINCT a.channel) = count(*) AND count(DISTINCT a.id) = count(*)
    INTO STRICT names, is_distinct FROM unnest(batch) a;
  IF NOT is_distinct THEN
    RAISE EXCEPTION 'two asks of a batch have the same id or channel' USING ERRCODE = '22023';
  END IF;
  -- A channel without a deposit leaves nothing behind.
  INSERT INTO ledger.channel (network, id)
    SELECT of_network, f.channel_id FROM public.channel f
    WHERE f.network = of_network AND f.channel_id = ANY (names) AND f.balance > 0
      AND NOT EXISTS (SELECT FROM ledger.channel k WHERE k.network = of_network AND k.id = f.channel_id)
    ORDER BY f.channel_id COLLATE "C" ON CONFLICT DO NOTHING;
  SELECT coalesce(array_agg(c.id::text), '{}') INTO STRICT locked FROM (
    SELECT k.id FROM ledger.channel k WHERE k.network = of_network AND k.id = ANY (names) ORDER BY k.id
    FOR UPDATE SKIP LOCKED
  ) c;
  PERFORM :release.lock_keys(of_network,
    ARRAY(SELECT a.signer || a.identifier FROM unnest(batch) a WHERE a.identifier IS NOT NULL));
  now_at := ledger.clock();

  FOR ask IN
    SELECT a.*, c.usable, c.claimed, c.charged AS spent, c.epoch, c.charge_id,
      CASE
        WHEN r.id IS NOT NULL THEN CASE WHEN r.network = of_network AND r.account = a.channel AND r.kind = a.kind
          AND r.amount = coalesce(a.amount, r.amount) AND (r.kind = 'refund' OR r.signed = a.cumulative)
          THEN 'reserved' ELSE 'conflict' END
        WHEN e.id IS NOT NULL THEN CASE WHEN e.network = of_network AND e.account = a.channel AND e.amount = a.amount
          THEN 'posted' ELSE 'conflict' END
        WHEN c.epoch IS NULL THEN 'channel_not_found'
        -- Only its payer can repeat it. It shows no sum but its own, so it may be answered where charges may be missing.
        WHEN a.kind = 'channel' AND c.signed = a.cumulative AND c.charged = c.signed AND c.repeat_key = a.repeat_key
          THEN 'repeated'
        -- Whoever sends it learns nothing that the contract does not show, also not whether a call is in progress. An operator
        -- has no voucher.
        WHEN a.signature IS NOT NULL AND (a.cumulative BETWEEN 1 AND greatest(c.claimed, least(c.published, c.charged))
          OR a.cumulative = nullif(c.published, 0))
          THEN CASE WHEN c.usable <= c.claimed THEN 'exceeds_balance' ELSE 'cumulative_below_claimed' END
        WHEN now_at > a.deadline THEN 'deadline_passed'
        WHEN c.open_id IS NOT NULL THEN 'channel_busy'
        WHEN a.channel <> ALL (locked) THEN 'again'
        WHEN NOT :release.is_near(:release.time_of(a.id), now_at) THEN 'out_of_range'
      END AS outcome
    FROM unnest(batch) a
      CROSS JOIN LATERAL :release.channel_accounts(of_network, ARRAY[a.channel]) c
      LEFT JOIN LATERAL (SELECT * FROM ledger.reservation x WHERE x.id = a.id LIMIT 1) r ON true
      LEFT JOIN LATERAL (SELECT * FROM ledger.entry x WHERE x.id = a.id LIMIT 1) e ON true
    ORDER BY a.n
  LOOP
    -- What was charged before the call.
    before := ask.cumulative - CASE ask.kind WHEN 'channel' THEN ask.amount ELSE 0 END;
    is_settled := ask.epoch = database.epoch AND ask.claimed <= ask.spent;
    IF ask.outcome IS NULL AND NOT is_settled THEN
      -- Before, vouchers that were claimed may count as private.
      is_read := database.epoch = 0 OR EXISTS (SELECT FROM public.channel_watch w
        WHERE w.network = of_network AND w.epoch = database.epoch);
      ask.outcome := CASE
        WHEN NOT is_read OR ask.signature IS NULL THEN 'unsettled'
        -- A voucher may be for less than its call.
        WHEN greatest(before, 0) < ask.claimed THEN 'cumulative_below_claimed'
        WHEN before < ask.spent THEN 'cumulative_mismatch'
        WHEN ask.cumulative > ask.usable THEN 'exceeds_balance'
      END;
      IF ask.outcome IS NULL THEN
        PERFORM :release.settle_channel(of_network, ask.channel, before, database.epoch, now_at, ask.cumulative,
          ask.signature, ask.key_id);
        ask.spent := before;
        is_settled := true;
      END IF;
    END IF;
    -- Where charges may be missing, only a voucher that would be corrected may repeat a call. A channel that is not known here
    -- may have claimed vouchers on the chain, except one that is new there.
    IF ask.identifier IS NOT NULL AND (ask.outcome = 'channel_not_found' AND ask.is_new
        OR ask.outcome = 'cumulative_mismatch' OR is_settled AND (ask.outcome IS NULL
        OR ask.outcome IN ('deadline_passed', 'channel_busy', 'again', 'out_of_range'))) THEN
      SELECT f.* INTO call FROM :release.find_call(of_network, ask.signer, ask.identifier, now_at) f;
      IF FOUND THEN
        ask.charge_id := call.record_id;
        ask.outcome := CASE WHEN call.fingerprint <> ask.fingerprint THEN 'identifier_reused'
          WHEN call.state = 'charged' THEN 'repeated' WHEN call.state = 'open' THEN 'channel_busy'
          ELSE 'identifier_pending' END;
      END IF;
    END IF;
    IF ask.outcome IS NULL THEN
      ask.amount := coalesce(ask.amount, greatest(ask.usable - ask.spent, 0));
      ask.outcome := CASE
        WHEN before <> ask.spent THEN 'cumulative_mismatch'
        WHEN ask.amount > ask.usable - ask.spent OR ask.amount = 0 THEN 'exceeds_balance'
        WHEN ask.identifier IS NOT NULL AND NOT :release.take_key(of_network, ask.signer, ask.identifier, ask.id,
          ask.fingerprint, now_at) THEN 'channel_busy'
        ELSE 'reserved'
      END;
      IF ask.outcome = 'reserved' THEN
        reserving := reserving || ask.n;
      END IF;
    END IF;
    outcomes := outcomes || ask.outcome;
    amounts := amounts || ask.amount;
    charge_ids := charge_ids || CASE WHEN ask.outcome = 'repeated' THEN ask.charge_id END;
  END LOOP;

  IF reserving <> '{}' THEN
    INSERT INTO ledger.reservation AS r
      (id, network, account, kind, amount, operation, reserved_at, deadline, signed, signature, key_id, repeat_key)
      SELECT a.id, of_network, a.channel, a.kind, amounts[a.n], a.operation, now_at, a.deadline,
        CASE a.kind WHEN 'channel' THEN a.cumulative END, CASE a.kind WHEN 'channel' THEN a.signature END,
        CASE a.kind WHEN 'channel' THEN a.key_id END, CASE a.kind WHEN 'channel' THEN a.repeat_key END
      FROM unnest(batch) a WHERE a.n = ANY (reserving);
  END IF;
  RETURN QUERY
    SELECT a.n::bigint, outcomes[a.n], CASE WHEN outcomes[a.n] = 'reserved' THEN c.reserved END, c.funded, c.charged,
      c.reserved, c.signed, c.signature, c.key_id, charge_ids[a.n], c.balance, c.total_claimed, c.refund_nonce,
      c.withdraw_requested_at_s
    FROM unnest(batch) a CROSS JOIN LATERAL :release.channel_accounts(of_network, ARRAY[a.channel]) c
    ORDER BY a.n;
END $$;

CREATE FUNCTION :release.read_charges(asks jsonb) RETURNS :release.charge_ask[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(ROW(a.id, a.channel, a.kind, a.cumulative, decode(a.signature, 'hex'), a.key_id,
    decode(a.repeat_key, 'hex'), a.amount, a.operation, a.deadline, a.signer, a.identifier, a.is_new, a.fingerprint,
    a.n):::release.charge_ask), '{}')
  FROM ROWS FROM (jsonb_to_recordset(asks) AS (id uuid, channel text, kind text, cumulative bigint, signature text,
    key_id text, repeat_key text, amount bigint, operation text, deadline timestamptz, signer text, identifier text,
    fingerprint text, is_new boolean)) WITH ORDINALITY AS a(id, channel, kind, cumulative, signature, key_id, repeat_key,
    amount, operation, deadline, signer, identifier, fingerprint, is_new, n)
$$;

-- Writes what a voucher shows that was charged before, and the voucher, which a void of its call does not undo. The caller
-- has locked the channel.
CREATE FUNCTION :release.settle_channel(of_network text, channel_id text, total bigint, in_epoch integer,
  now_at timestamptz, cumulative bigint, sealed bytea, sealed_with text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known record;
  is_later boolean;
  is_replaced boolean;
BEGIN
  SELECT k.* INTO STRICT known FROM ledger.channel k WHERE k.network = of_network AND k.id = channel_id;
  IF total > known.charged THEN
    INSERT INTO ledger.entry (id, network, account, kind, amount, at)
      VALUES (:release.new_id(now_at), of_network, channel_id, 'recovered', total - known.charged, now_at);
  END IF;
  is_later := cumulative > known.signed;
  -- Neither a voucher that may still pay for a call is claimed, nor the one with which the payer asks for a refund.
  is_replaced := is_later AND known.signed BETWEEN 1 AND total - 1;
  UPDATE ledger.channel k SET epoch = in_epoch, charged = total,
    claimable = CASE WHEN is_replaced THEN k.signed ELSE k.claimable END,
    claimable_signature = CASE WHEN is_replaced THEN k.signature ELSE k.claimable_signature END,
    claimable_key_id = CASE WHEN is_replaced THEN k.key_id ELSE k.claimable_key_id END,
    signed = CASE WHEN is_later THEN cumulative ELSE k.signed END,
    signature = CASE WHEN is_later THEN sealed ELSE k.signature END,
    key_id = CASE WHEN is_later THEN sealed_with ELSE k.key_id END,
    repeat_key = CASE WHEN NOT is_later THEN k.repeat_key END,
    charge_id = CASE WHEN NOT is_later THEN k.charge_id END,
    unclaimed_since = CASE WHEN is_replaced THEN coalesce(k.unclaimed_since, now_at) ELSE k.unclaimed_since END
    WHERE k.network = of_network AND k.id = channel_id;
END $$;

-- The accounts of channels. `epoch` is null for a channel that the ledger does not know. What is usable is what the contract
-- holds, without what a withdrawal that was started would take. What the contract shows is null until it has been read.
CREATE FUNCTION :release.channel_accounts(of_network text, ids text[])
  RETURNS TABLE (id text, usable bigint, claimed bigint, published bigint, funded bigint, charged bigint, reserved bigint, open_id uuid,
    signed bigint, signature bytea, key_id text, repeat_key bytea, charge_id uuid, epoch integer,
    balance bigint, total_claimed bigint, refund_nonce bigint, withdraw_requested_at_s bigint)
  LANGUAGE sql STABLE AS $$
  SELECT i.id, f.usable, f.claimed, coalesce(k.published, 0), greatest(f.usable, k.charged + coalesce(r.amount, 0)), coalesce(k.charged, 0),
    coalesce(r.amount, 0), r.id, coalesce(k.signed, 0), k.signature, k.key_id, k.repeat_key, k.charge_id, k.epoch,
    f.balance, f.total_claimed, f.refund_nonce, f.withdraw_requested_at_s
  FROM unnest(ids) AS i(id)
    LEFT JOIN LATERAL (SELECT * FROM ledger.channel x WHERE x.network = of_network AND x.id = i.id LIMIT 1) k ON true
    LEFT JOIN LATERAL (SELECT * FROM ledger.reservation x
      WHERE x.network = of_network AND x.account = i.id AND x.kind <> 'trial' LIMIT 1) r ON true
    LEFT JOIN LATERAL (
      SELECT least(greatest(c.balance - coalesce(c.withdraw_amount, 0), 0), 9007199254740991) AS usable,
        least(c.total_claimed, 9007199254740991) AS claimed, c.balance, c.total_claimed, c.refund_nonce,
        coalesce(c.withdraw_requested_at_s, 0) AS withdraw_requested_at_s
      FROM public.channel c WHERE c.network = of_network AND c.channel_id = i.id AND c.block_number IS NOT NULL
      UNION ALL SELECT 0, 0, NULL, NULL, NULL, NULL LIMIT 1
    ) f ON true
$$;
