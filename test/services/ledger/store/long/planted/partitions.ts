import type { PlantedFile } from './planted-function.ts';

export const PARTITIONS: PlantedFile = {
  file: 'partitions.sql',
  tests: ['ledger/store/partition-ranges', 'ledger/store/partitions', 'ledger/store/locks', 'ledger/store/carry'],
  faults: {
    make_nonce_partitions: [
      ['the day after tomorrow has none', "today + interval '2 days', interval", "today + interval '1 day', interval"],
      ['yesterday has none', "generate_series(today - interval '1 day',", 'generate_series(today,'],
      ['a day ends an hour early', "((first + interval '1 day') AT", "((first + interval '23 hours') AT"],
      [
        'days are those of the server',
        "(first AT TIME ZONE 'UTC')::text,\n",
        "(first AT TIME ZONE 'Asia/Tokyo')::text,\n",
      ],
    ],
    make_entry_partitions: [
      ['the next month has none', "date_trunc('month', today + interval '1 month')", "date_trunc('month', today)"],
      [
        'the month of the day before yesterday has none',
        "date_trunc('month', today - interval '2 days')",
        "date_trunc('month', today)",
      ],
      [
        'a month ends a day early',
        ":release.id_at((first + interval '1 month')",
        ":release.id_at((first + interval '1 month' - interval '1 day')",
      ],
    ],
    drop_nonce_partitions: [
      ['the clock of the caller decides', 'least(ledger.clock(), now_at)', 'now_at'],
      ['the clock of the server decides', 'least(ledger.clock(), now_at)', 'ledger.clock()'],
      ['the nonces of yesterday are dropped', 'least(ledger.clock(), now_at)) - 1;', 'least(ledger.clock(), now_at));'],
      ['the watermark is the day before', '(part.first + 1)::timestamp', 'part.first::timestamp'],
      [
        'the watermark goes back',
        'greatest(m.dropped_until, (part.first + 1)',
        'least(m.dropped_until, (part.first + 1)',
      ],
      ['nothing is dropped', "EXECUTE format('DROP TABLE ledger.%I', part.name);", ''],
    ],
    partitions: [
      ['the suffix has the separator', 'length(parent) + 2', 'length(parent) + 1'],
      ['months are read as days', 'AND length(p.suffix) = length(day_format)', ''],
      [
        'the partitions of another table are listed',
        "i.inhparent = format('ledger.%I', parent)::regclass",
        "c.relname ~ '^(nonce|entry)_'",
      ],
    ],
    open_upkeep: [
      ['upkeep runs at the same time', "PERFORM pg_advisory_xact_lock(hashtextextended('ledger.upkeep', 0));", ''],
      ['a change waits for long', "SET LOCAL lock_timeout = '500ms';", ''],
      ['a standby answers another code', 'PERFORM :release.assert_primary();', ''],
    ],
    make_partition: [
      [
        'a partition that exists fails',
        "IF to_regclass(format('ledger.%I', parent || '_' || suffix)) IS NULL THEN",
        'IF true THEN',
      ],
      ['none is made', 'suffix)) IS NULL THEN', 'suffix)) IS NOT NULL THEN'],
      [
        'the name lacks the separator',
        "CREATE TABLE ledger.%I PARTITION OF ledger.%I FOR VALUES FROM (%L) TO (%L)',\n      parent || '_' || suffix",
        "CREATE TABLE ledger.%I PARTITION OF ledger.%I FOR VALUES FROM (%L) TO (%L)',\n      parent || suffix",
      ],
    ],
  },
};
