import type { PlantedFile } from './planted-function.ts';

export const CALL_KEYS: PlantedFile = {
  file: 'call_keys.sql',
  tests: [
    'payments/claims/claim-locks',
    'payments/claims/identified-calls',
    'payments/claims/claim-rules',
    'ledger/store/locks',
    'ledger/store/call-keys',
  ],
  faults: {
    lock_keys: [
      [
        'a key of another transaction is not waited for',
        'pg_advisory_xact_lock(h.hash)',
        'pg_try_advisory_xact_lock(h.hash)',
      ],
      ['only the first key is locked', 'unnest(keys)', 'unnest(keys[1:1])'],
      ['nothing is locked', 'PERFORM pg_advisory_xact_lock(h.hash)', 'PERFORM h.hash'],
      ['each transaction has a lock of its own', "|| of_network || '/'", '|| of_network || random()'],
    ],
    has_answer: [
      ['the answer of today counts', ':release.utc_day(:release.time_of(record))', ':release.utc_day(ledger.clock())'],
      [
        'the answer of an open payment does not count',
        '\n    OR EXISTS (SELECT FROM public.retained_body_held h WHERE h.record_id = record)',
        '',
      ],
      ['another answer of the day counts', ' AND b.record_id = record)', ')'],
    ],
    find_call: [
      [
        'an execution whose lease has ended is open',
        "c.state = 'executing' AND c.lease_until > now_at THEN 'open'",
        "c.state = 'executing' THEN 'open'",
      ],
      [
        'an execution of an earlier epoch cannot have been settled',
        'AND c.epoch < (SELECT max(e.number) FROM ledger.epoch e)',
        'AND false',
      ],
      ['a failure that is not final frees the identifier', '(c.is_final OR c.from_block IS NULL)', 'true'],
      ['a failure without a chain waits for good', ' OR c.from_block IS NULL)) THEN NULL', ')) THEN NULL'],
      [
        'a payment that is not settled frees the identifier',
        "WHEN c.state <> 'settled' THEN 'pending'",
        "WHEN c.state <> 'settled' THEN NULL",
      ],
      [
        'what was settled in the lost time is free',
        "WHEN c.state = 'settled' AND c.attempt IS NULL THEN 'charged'",
        '',
      ],
      [
        'an open reservation frees the identifier',
        "WHEN EXISTS (SELECT FROM ledger.reservation r WHERE r.id = k.record_id) THEN 'open'",
        '',
      ],
      ['an identifier is of all signers', ' AND k.signer = of_signer', ''],
      ['an identifier is of all networks', 'k.network = of_network AND k.signer', 'k.signer'],
    ],
    find_calls: [
      [
        'the identifier of another signer is found',
        'of_network, k.signer, k.identifier',
        "of_network, '', k.identifier",
      ],
      ['calls are out of order', 'ORDER BY k.n;', 'ORDER BY k.n DESC;'],
      ['a free identifier has no row', 'LEFT JOIN LATERAL', 'JOIN LATERAL'],
    ],
    abandoned_execution: [
      ['a lease that ends now goes on', 'c.lease_until <= now_at', 'c.lease_until < now_at'],
      ['executions with any identifier are abandoned', ' AND k.identifier_hash = identifier', ''],
      ['the nonce is another text', 'c.nonce::text', 'c.claim_id::text'],
    ],
    take_key: [
      ['an execution that lost its identifier may keep an answer', 'x.claim_id = earlier AND', 'false AND'],
      ['a payment that failed loses its claim', "x.state = 'executing' AND x.lease_until", 'x.lease_until'],
      [
        'an identifier that has a call is taken',
        "IF EXISTS (SELECT FROM ledger.payment_claim c WHERE c.claim_id = earlier AND c.state = 'executing')\n    OR EXISTS (SELECT FROM :release.find_call(of_network, of_signer, identifier, now_at)) THEN",
        'IF false THEN',
      ],
      [
        'the key stays with its first call',
        'SET record_id = excluded.record_id, fingerprint',
        'SET record_id = k.record_id, fingerprint',
      ],
      ['the key stays with its first request', ', fingerprint = excluded.fingerprint', ''],
      ['it waits for an execution that keeps its answer', ' FOR UPDATE SKIP LOCKED', ' FOR UPDATE'],
    ],
    drop_keys: [
      ['the clock of the caller decides', 'least(ledger.clock(), now_at)', 'now_at'],
      ['the clock of the server decides', 'least(ledger.clock(), now_at)', 'ledger.clock()'],
      ['a key is kept for a day less', 'make_interval(days => days)', 'make_interval(days => days - 1)'],
      [
        'the key of a pending payment is dropped',
        " AND NOT EXISTS (SELECT FROM ledger.payment_claim c\n          WHERE c.claim_id = x.record_id AND c.state NOT IN ('settled', 'failed'))",
        '',
      ],
      [
        'the key of a settled payment stays for good',
        "AND c.state NOT IN ('settled', 'failed')",
        "AND c.state NOT IN ('failed')",
      ],
      ['more than asked for are dropped', 'LIMIT max_keys ', ''],
    ],
  },
};
