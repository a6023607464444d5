import type { PlantedFile } from './planted-function.ts';

export const CARRY: PlantedFile = {
  file: 'carry.sql',
  tests: ['ledger/store/carry', 'ledger/store/locks'],
  faults: {
    first_kept_month: [
      ['no month is kept', 'months_kept < 1', 'months_kept < 0'],
      ['the clock of the caller decides', 'least(ledger.clock(), now_at)', 'now_at'],
      ['the clock of the server decides', 'least(ledger.clock(), now_at)', 'ledger.clock()'],
      ['a month less is kept', 'make_interval(months => months_kept)', 'make_interval(months => months_kept - 1)'],
    ],
    carry_entries: [
      ['deletes are not allowed', 'PERFORM :release.allow_deletes(first_kept);', ''],
      [
        'entries are carried twice',
        'DELETE FROM ledger.entry e WHERE e.id = ANY (ids) RETURNING e.network, e.account, e.day, e.amount',
        'SELECT e.network, e.account, e.day, e.amount FROM ledger.entry e WHERE e.id = ANY (ids)',
      ],
      ['wallets do not get the sum', 'w.carried + s.amount', 'w.carried'],
      ['channels do not get the sum', 'k.carried + s.amount', 'k.carried'],
      [
        'an account has the largest of its entries',
        'sum(g.amount)::bigint AS amount FROM gone g GROUP BY g.network, g.account',
        'max(g.amount)::bigint AS amount FROM gone g GROUP BY g.network, g.account',
      ],
      ['an entry without an account is carried', 'IF returned.missing > 0 THEN', 'IF false THEN'],
      ['the day keeps its use', 'PERFORM :release.take_from_day(returned.network, returned.day, returned.amount);', ''],
      ['channels have a day', 'CONTINUE WHEN returned.day IS NULL;', ''],
      ['more than asked for are carried', ' LIMIT max_entries', ''],
      ['it ends after the first batch', 'last_id := ids[cardinality(ids)];', 'last_id := NULL;'],
    ],
    allow_deletes: [
      ['the entries of months that are kept can be deleted', 'WHERE p.first < first_kept AND', 'WHERE'],
      ['no entry can be deleted', 'p.first < first_kept', 'p.first > first_kept'],
      ['triggers are enabled again', 'DISABLE TRIGGER', 'ENABLE TRIGGER'],
    ],
    drop_entry_partitions: [
      ['a month that is kept is dropped', 'WHERE p.first < first_kept LOOP', 'LOOP'],
      [
        'a month is dropped that a reservation needs',
        'CONTINUE WHEN EXISTS (SELECT',
        'CONTINUE WHEN NOT EXISTS (SELECT 1 LIMIT 1) AND EXISTS (SELECT',
      ],
      ['a month with entries is dropped', 'CONTINUE WHEN is_used;', ''],
      [
        'a reservation of any later month keeps a month',
        "\n        AND r.id < :release.id_at((part.first + interval '1 month') AT TIME ZONE 'UTC')",
        '',
      ],
    ],
    drop_days: [
      [
        'the grants of yesterday are dropped',
        '(least(ledger.clock(), now_at)) - 1;',
        '(least(ledger.clock(), now_at));',
      ],
      ['grants stay for good', 'g.day < :release', 'g.day > :release'],
      ['the clock of the caller decides on grants', 'least(ledger.clock(), now_at)', 'now_at'],
      [
        'a day with use is dropped',
        '\n      AND (SELECT sum(s.used) FROM ledger.trial_day s WHERE s.network = old.network AND s.day = old.day) = 0',
        '',
      ],
      ['days of another network count', 'WHERE s.network = old.network AND s.day = old.day', 'WHERE s.day = old.day'],
      ['days that are kept are dropped', 'WHERE d.day < first_kept GROUP', 'GROUP'],
    ],
  },
};
