import type { PlantedFile } from './planted-function.ts';

export const VOID: PlantedFile = {
  file: 'void.sql',
  tests: [
    'ledger/store/locks',
    'ledger/store/reserve',
    'ledger/store/void',
    'ledger/store/post',
    'ledger/store/ledger-model',
  ],
  faults: {
    void: [
      ['it waits for a post', 'FOR UPDATE SKIP LOCKED', 'FOR UPDATE'],
      ['reservations are not locked', 'ORDER BY r.id FOR UPDATE SKIP LOCKED', 'ORDER BY r.id'],
      ['a reservation of another network is voided', 'AND r.network = of_network\n', '\n'],
      ['the amount does not return to the wallet', 'balance = w.balance + back.amount', 'balance = w.balance'],
      [
        'the wallets of a batch have one amount each',
        'sum(r.amount)::bigint AS amount,\n',
        'max(r.amount)::bigint AS amount,\n',
      ],
      ['failures of the operation are counted', "FILTER (WHERE reason.reason = 'caller_failed')", ''],
      ['failures of all times are counted', "WHERE f.at > now_at - interval '1 hour'", ''],
      ['failures before the last are forgotten', "f.at > now_at - interval '1 hour'", 'false'],
      ['one failure of a batch is counted', 'ARRAY[back.failures]', 'ARRAY[1]'],
      ['the last reason of a batch counts', 'ORDER BY v.id, v.n\n', 'ORDER BY v.id, v.n DESC\n'],
      ['the amount does not return to the budget', 'returned.day, returned.amount', 'returned.day, 0'],
      ['a day is not locked', 'PERFORM :release.lock_day(of_network, returned.day);', ''],
      [
        'the amount returns to the present day',
        'of_network, returned.day, returned.amount',
        'of_network, :release.utc_day(now_at), returned.amount',
      ],
      [
        'a call of a channel returns to a budget',
        "WHERE r.id = ANY (held) AND r.kind = 'trial'\n    GROUP BY r.day",
        'WHERE r.id = ANY (held)\n    GROUP BY r.day',
      ],
      ['a reservation that is locked is unknown', "WHEN open.id IS NOT NULL THEN 'busy'", ''],
      ['what is posted is said to be voided', "THEN 'posted'", "THEN 'voided'"],
      [
        'an entry of another network is posted',
        'x.id = v.id AND x.network = of_network AND x.kind',
        'x.id = v.id AND x.kind',
      ],
      [
        'what is open in another network is busy',
        'x.id = v.id AND x.network = of_network LIMIT 1) open',
        'x.id = v.id LIMIT 1) open',
      ],
      [
        'the balance of a posted call is not told',
        'coalesce(gone.account, open.account, e.account)',
        'coalesce(gone.account, open.account)',
      ],
    ],
  },
};
