import type { PlantedFile } from './planted-function.ts';

export const READS: PlantedFile = {
  file: 'reads.sql',
  tests: [
    'ledger/store/reads',
    'ledger/store/single',
    'ledger/store/locks',
    'ledger/store/channel-ledger',
    'ledger/store/carry',
  ],
  faults: {
    used_today: [
      ['the use of another network counts', 'd.network = of_network AND', ''],
      ['the use of all days counts', ' AND d.day = today', ''],
      ['the largest part counts', 'sum(d.used)', 'max(d.used)'],
      ['the day is that of the server', ':release.utc_day(ledger.clock())', ':release.utc_day(clock_timestamp())'],
    ],
    figures: [
      ['reservations of another network count', ' WHERE o.network = of_network', ''],
      ['the newest is the oldest', 'min(:release.time_of(o.id))', 'max(:release.time_of(o.id))'],
      ['one amount is the sum', 'coalesce(sum(o.amount), 0)', 'coalesce(max(o.amount), 0)'],
    ],
    overdue: [
      [
        'the deadline is not checked',
        "AND r.deadline < coalesce(ledger.clock() - grace_ms * interval '1 millisecond', 'infinity')",
        '',
      ],
      ['the grace is in seconds', "grace_ms * interval '1 millisecond'", "grace_ms * interval '1 second'"],
      ['refunds are listed with calls', " AND (r.kind = 'refund') = are_refunds", ''],
      ['reservations of another network are listed', 'r.network = of_network AND', ''],
      ['the latest deadline comes first', 'ORDER BY r.deadline, r.id', 'ORDER BY r.deadline DESC, r.id'],
      ['more than asked for are listed', ' LIMIT max_rows', ''],
    ],
    channels: [
      [
        'channels of another network are read',
        'channel_accounts(of_network, ARRAY',
        "channel_accounts('eip155:1', ARRAY",
      ],
      ['channels are out of order', 'ORDER BY i.n', 'ORDER BY i.n DESC'],
      [
        'what is reserved is charged',
        'c.charged, c.reserved, c.signed',
        'c.charged + c.reserved, c.reserved, c.signed',
      ],
    ],
    sweep: [
      ['refunds are swept', 'overdue(of_network, false,', 'overdue(of_network, true,'],
      ['the grace is left out', 'false, grace_ms, max_rows', 'false, 0, max_rows'],
      ['the caller failed', "'reason', 'swept'", "'reason', 'caller_failed'"],
      [
        'a clock that was ahead is believed',
        'x.reserved_at > now_at +',
        "x.reserved_at < now_at - interval '1 year' +",
      ],
      ['its time is over at once', 'deadline = now_at + (r.deadline - r.reserved_at)', 'deadline = now_at'],
      ['more than asked for are swept', 'grace_ms, max_rows)', 'grace_ms, NULL)'],
    ],
    wallet: [
      ['reservations of another network count', 'r.network = w.network AND', ''],
      ['entries of another network count', 'e.network = w.network AND', ''],
      ['the wallet of another network is read', 'w.network = of_network AND', ''],
      ['what was carried is not spent', 'w.carried + (', '('],
      ['what is reserved is missing', 'sum(r.amount)', 'min(0)'],
    ],
    grants: [
      ['grants of another network count', 'g.network = of_network AND', ''],
      ['grants of all days count', ' AND g.day = :release.utc_day(ledger.clock())', ''],
      ['the fewest come first', 'g.grants DESC', 'g.grants'],
    ],
    reset_grants: [
      ['grants of another network are reset', 'g.network = of_network AND', ''],
      ['grants of all days are reset', ' AND g.day = today', ''],
      ['all scopes are reset', ' AND g.scope = of_scope', ''],
      ['the day is not locked', 'PERFORM :release.lock_day(of_network, today);', ''],
    ],
  },
};
