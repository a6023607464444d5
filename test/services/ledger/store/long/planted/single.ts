import type { PlantedFile } from './planted-function.ts';

export const SINGLE: PlantedFile = {
  file: 'single.sql',
  tests: [
    'ledger/store/single',
    'ledger/store/reserve',
    'ledger/store/locks',
    'ledger/store/concurrency',
    'ledger/store/epochs',
    'ledger/store/partitions',
    'ledger/store/post',
    'ledger/store/ledger-model',
  ],
  faults: {
    reserve_one: [
      ['the wallet is not locked', 'AND w.address = ask.wallet FOR UPDATE', 'AND w.address = ask.wallet'],
      ['a wallet with failures reserves', "known.failures <> '{}' OR ", ''],
      ['a wallet without credit reserves', ' OR known.balance < ask.amount', ''],
      ['the day is not locked', 'PERFORM :release.lock_day(of_network, today);', ''],
      ['a late ask reserves', 'OR now_at > ask.deadline ', ''],
      ['a proof of an earlier database is taken', 'greatest(now_at, proofs_from)', 'now_at'],
      ['an expired proof is taken', 'greatest(now_at, proofs_from)', 'proofs_from'],
      ['a proof of another year is taken', "AND now_at + interval '1 day'", "AND 'infinity'"],
      [
        'a dropped nonce is free',
        '(SELECT m.dropped_until FROM ledger.nonce_watermark m WHERE m.is_only_row)',
        "'-infinity'",
      ],
      ['an id of another day is taken', ' OR NOT :release.is_near(made_at, now_at)', ''],
      ['an id reserves twice', 'EXISTS (SELECT FROM ledger.reservation x WHERE x.id = ask.id)', 'false'],
      ['a posted id reserves', 'EXISTS (SELECT FROM ledger.entry x WHERE x.id = ask.id)', 'false'],
      ['the price is not in the budget', 'ask.amount + spent.used', 'spent.used'],
      ['only one part of the day counts', 'coalesce(sum(d.used), 0)', 'coalesce(max(d.used), 0)'],
      [
        'the balance of the nonce is the one before',
        "'reserved', known.balance)",
        "'reserved', known.balance + ask.amount)",
      ],
      ['the price is not taken from the wallet', 'SET balance = known.balance', 'SET balance = w.balance'],
      ['the day is not charged', 'spent.full_parts, ask.amount,', 'spent.full_parts, 0,'],
      ['a full part is changed', 'd.changes >= 4000', 'd.changes >= 8000'],
      ['the changes of a part are not counted', 'changes = d.changes + 1', 'changes = d.changes'],
    ],
    post_one: [
      ['a reservation of another network is charged', 'AND r.network = of_network ', ''],
      ['the entry has another day', "'post', charged.amount, charged.day,", "'post', charged.amount, charged.day - 1,"],
      ['bodies of other sizes are taken', 'IF call.request_size + call.response_size <> length(bodies)', 'IF false'],
      [
        'the bodies are swapped',
        'substring(bodies FROM 1 FOR call.request_size)',
        'substring(bodies FROM call.request_size + 1)',
      ],
      ['the response takes what is left', ' FOR call.response_size', ''],
      ['the call is not named', 'FOR call.response_size), call.request_id', 'FOR call.response_size), NULL'],
      ['the answer has no credit', 'SELECT w.balance FROM', 'SELECT 0 FROM'],
    ],
  },
};
