import type { PlantedFile } from './planted-function.ts';

export const AUDIT: PlantedFile = {
  file: 'audit.sql',
  tests: ['ledger/store/audit', 'ledger/store/carry', 'ledger/store/partitions'],
  faults: {
    audit_wallets: [
      [
        'balances are not compared',
        'p.granted <> p.balance + p.carried',
        'false AND p.granted <> p.balance + p.carried',
      ],
      ['what is reserved is left out', 'p.carried + coalesce(open.amount, 0) + coalesce', 'p.carried + coalesce'],
      ['what was carried is left out', 'p.balance + p.carried + coalesce(open', 'p.balance + coalesce(open'],
      [
        'a missing wallet is no violation',
        'WHERE NOT EXISTS (SELECT FROM page p',
        'WHERE false AND NOT EXISTS (SELECT FROM page p',
      ],
      [
        'the first range is the last one',
        'CASE WHEN count(*) = max_wallets THEN',
        'CASE WHEN count(*) > max_wallets THEN',
      ],
      ['wallets of another network are audited', 'w.network = of_network AND w.address >', 'w.address >'],
      [
        'entries of the next range count',
        '      AND (b.last_account IS NULL OR e.account <= b.last_account) GROUP',
        '      GROUP',
      ],
    ],
    audit_channels: [
      ['charges are not compared', 'p.charged <> p.carried + coalesce', 'false AND p.charged <> p.carried + coalesce'],
      ['what was carried is left out', 'WHERE p.charged <> p.carried + coalesce', 'WHERE p.charged <> coalesce'],
      ['a call without a voucher is no violation', 'r.signed <> p.charged + r.amount', 'r.signed < p.charged'],
      [
        'a claim that is not due is no violation',
        'c.total_claimed < p.claimable AND p',
        'c.total_claimed > p.claimable AND p',
      ],
      [
        'too much that is claimed is no violation',
        'c.total_claimed > p.charged AND',
        'c.total_claimed > p.signed + p.charged AND',
      ],
      ['a channel of an earlier epoch is a violation', ' AND p.epoch = (SELECT max(number) FROM ledger.epoch)', ''],
      [
        'a missing channel is no violation',
        "'no account' FROM spent s\n    WHERE NOT",
        "'no account' FROM spent s\n    WHERE false AND NOT",
      ],
      ['two open calls are no violation', 'HAVING count(*) > 1\n', 'HAVING count(*) > 2\n'],
      ['the first range is the last one', 'count(*) = max_channels', 'count(*) > max_channels'],
    ],
    audit_day: [
      ['the use is not compared', 's.used <> s.reserved + s.posted', 's.used < 0'],
      ['more than is accounted for is no violation', 's.used <> s.reserved', 's.used < s.reserved'],
      ['the budget is not compared', '> s.budget OR s.used < 0', '> s.budget + 1 OR s.used < 0'],
      [
        'a missing answer is no violation',
        'AND NOT EXISTS (SELECT FROM public.retained_body b',
        'AND false AND NOT EXISTS (SELECT FROM public.retained_body b',
      ],
      [
        'entries with an id of the next day are left out',
        'e.id < :release.id_at((of_day + 2)',
        'e.id < :release.id_at((of_day + 1)',
      ],
      [
        'answers that are not kept any more are missing',
        "\n    AND to_regclass('public.retained_body_' || to_char(of_day, 'YYYYMMDD')) IS NOT NULL",
        '',
      ],
    ],
    audited_days: [
      [
        'only days with a budget are audited',
        "  UNION SELECT s::date FROM bound b,\n    generate_series(b.first::timestamp - interval '1 day', b.last::timestamp + interval '1 day', interval '1 day') AS s\n",
        '',
      ],
      ['the last day is left out', "b.last::timestamp + interval '1 day'", "b.last::timestamp - interval '1 day'"],
      [
        'days with a budget alone are left out',
        'SELECT d.day FROM ledger.trial_day d WHERE d.network = of_network\n  UNION SELECT r.day',
        'SELECT r.day',
      ],
      [
        'days with a reservation alone are left out',
        "  UNION SELECT r.day FROM ledger.reservation r WHERE r.network = of_network AND r.kind = 'trial'\n",
        '',
      ],
    ],
    audit_reservations: [
      [
        'a reservation that is posted is no violation',
        'JOIN ledger.entry e ON e.id = o.id',
        'JOIN ledger.entry e ON false',
      ],
      ['a nonce of another reservation is no violation', 'IS DISTINCT FROM (o.id', '= (o.id'],
      [
        'a missing nonce is no violation',
        "(b.reservation_id, b.outcome) IS DISTINCT FROM (o.id, 'reserved')",
        "(b.reservation_id, b.outcome) <> (o.id, 'reserved')",
      ],
      [
        'an open call without a channel is no violation',
        "WHERE o.kind <> 'trial' AND NOT EXISTS",
        "WHERE o.kind <> 'trial' AND false AND NOT EXISTS",
      ],
      [
        'nonces that were dropped are missing',
        ' AND o.proof_expires_at >= (SELECT m.dropped_until FROM ledger.nonce_watermark m)',
        '',
      ],
      ['reservations of another network are counted', ' WHERE r.network = of_network\n', '\n'],
    ],
  },
};
