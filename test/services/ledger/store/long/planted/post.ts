import type { PlantedFile } from './planted-function.ts';

export const POST: PlantedFile = {
  file: 'post.sql',
  tests: [
    'ledger/store/locks',
    'ledger/store/post',
    'ledger/store/charge',
    'ledger/store/channel-ledger',
    'payments/claims/claim-locks',
    'payments/claims/claim-rules',
    'payments/claims/postgres-claims',
    'ledger/service/keep',
  ],
  faults: {
    post: [
      ['it does not wait for the disk', 'open_batch(true)', 'open_batch(false)'],
      [
        'it waits for a lock without an end',
        "PERFORM set_config('lock_timeout', CASE cardinality(batch) WHEN 1 THEN '3s' ELSE '2s' END, true);",
        '',
      ],
      ['a reservation of another network is posted', ' AND r.network = of_network', ''],
      ['a refund is posted', " AND r.kind <> 'refund'", ''],
      ['a locked reservation is unknown', 'ORDER BY r.id FOR UPDATE', 'ORDER BY r.id FOR UPDATE SKIP LOCKED'],
      [
        'the reservation stays',
        'DELETE FROM ledger.reservation r WHERE r.id = ANY (held) RETURNING r.*',
        'SELECT r.* FROM ledger.reservation r WHERE r.id = ANY (held)',
      ],
      ['the entry has no day', 'd.amount, d.day, now_at', 'd.amount, NULL, now_at'],
      ['the charge of a channel is not added', 'charged = k.charged + d.amount', 'charged = k.charged'],
      ['the voucher of the call is not kept', 'signed = d.signed,', 'signed = k.signed,'],
      ['the charge of a repeat is not known', 'charge_id = d.id', 'charge_id = NULL'],
      [
        'the first voucher is not claimed',
        'claimable = CASE WHEN d.signed > k.signed THEN k.signed ELSE k.claimable END',
        'claimable = k.claimable',
      ],
      [
        'the claimed voucher has the next signature',
        'THEN k.signature ELSE k.claimable_signature',
        'THEN d.signature ELSE k.claimable_signature',
      ],
      [
        'a claim is due from the first call on',
        'CASE WHEN k.signed > 0 THEN coalesce(k.unclaimed_since, now_at) END',
        'coalesce(k.unclaimed_since, now_at)',
      ],
      ['a claim that is due is put off by each call', 'coalesce(k.unclaimed_since, now_at)', 'now_at'],
      [
        'a request begins where the first one does',
        'substring(bodies FROM c.start + 1 FOR c.request_size)',
        'substring(bodies FROM 1 FOR c.request_size)',
      ],
      ['a response lacks its first byte', 'c.start + c.request_size + 1 FOR', 'c.start + c.request_size + 2 FOR'],
      ['an entry that was seen may be lost', 'IF cardinality(held) < cardinality(batch) THEN', 'IF false THEN'],
      ['an entry of another network is posted here', 'x.id = c.id AND x.network = of_network AND', 'x.id = c.id AND'],
      [
        'what was recovered is posted',
        "\n        WHERE x.id = c.id AND x.network = of_network AND x.kind = 'post'",
        '\n        WHERE x.id = c.id AND x.network = of_network',
      ],
      ['answers are out of order', 'ORDER BY c.n;', 'ORDER BY c.n DESC;'],
    ],
    keep: [
      ['it does not wait for the disk', 'open_batch(true)', 'open_batch(false)'],
      [
        'claims are not locked',
        'PERFORM :release.lock_claims(of_network, ARRAY(SELECT c.id FROM unnest(batch) c));',
        '',
      ],
      ['a claim of another network is kept', 'AND c.network = of_network AND', 'AND'],
      ['an answer is kept twice', " AND c.state = 'executing'", ''],
      ['nobody asks what became of it', 'due_at = now_at + k', "due_at = now_at + interval '1 day' + k"],
      ['the operation is not recorded', 'operation = k.operation, ', ''],
      ['the lease goes on', ", lease_until = '-infinity'", ''],
      ['the epoch is that of the execution', 'epoch = database.epoch, ', ''],
      ['the later answer of a batch is kept', 'ORDER BY c.id, c.n;', 'ORDER BY c.id, c.n DESC;'],
      ['what another transaction kept may be lost', 'IF cardinality(kept) < cardinality(batch) THEN', 'IF false THEN'],
      [
        'a claim of another network is said to be kept',
        'x.claim_id = c.id AND x.network = of_network',
        'x.claim_id = c.id',
      ],
    ],
    read_calls: [
      ['a call starts where it ends', 'c.until - c.request_size - c.response_size', 'c.until - c.response_size'],
      ['only requests have a size', 'sum(c.request_size + c.response_size)', 'sum(c.request_size)'],
      ['sizes that do not add up are accepted', 'IF total <> size THEN', 'IF false THEN'],
      ['bodies may be longer', 'total <> size', 'total > size'],
    ],
  },
};
