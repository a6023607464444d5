import type { PlantedFile } from './planted-function.ts';

export const BATCH: PlantedFile = {
  file: 'batch.sql',
  tests: [
    'ledger/store/locks',
    'ledger/store/post',
    'ledger/store/epochs',
    'ledger/store/reserve',
    'payments/claims/identified-calls',
    'ledger/store/single',
    'ledger/store/ledger-model',
    'ledger/store/carry',
  ],
  faults: {
    assert_primary: [
      ['a standby answers another code', "ERRCODE = '25006'", "ERRCODE = '25001'"],
      ['a primary is refused', 'IF pg_is_in_recovery() THEN', 'IF NOT pg_is_in_recovery() THEN'],
      ['a standby is not refused', 'IF pg_is_in_recovery() THEN', 'IF false THEN'],
    ],
    open_batch: [
      ['a standby is not refused', 'IF pg_is_in_recovery() THEN', 'IF false THEN'],
      ['nothing waits for the disk', 'WHEN NOT is_final THEN', 'WHEN is_final THEN'],
      [
        'a final commit has the setting of the server',
        "ELSE 'on' END",
        "ELSE current_setting('synchronous_commit') END",
      ],
      ['the standbys need not have applied it', "THEN 'remote_apply' ELSE", "THEN 'on' ELSE"],
      ['the first epoch is that of the database', 'ORDER BY e.number DESC LIMIT 1', 'ORDER BY e.number LIMIT 1'],
      ['a later format is accepted', 'known.format <> 1', 'known.format < 1'],
      ['another database is accepted', 'ELSIF known.identity <> ledger.identity() THEN', 'ELSIF false THEN'],
      ['proofs of all times are accepted', 'proofs_from := known.proofs_from;', "proofs_from := '-infinity';"],
    ],
    begin_epoch: [
      ['each process begins one', "PERFORM pg_advisory_xact_lock(hashtextextended('ledger.epoch', 0));", ''],
      ['proofs of five minutes are accepted', "interval '310 seconds'", "interval '300 seconds'"],
      [
        'an earlier limit replaces a later one',
        "greatest(e.proofs_from, ledger.clock() + interval '310 seconds')",
        "ledger.clock() + interval '310 seconds'",
      ],
      ['it is never forced', 'WHERE is_forced OR e.identity', 'WHERE e.identity'],
      ['it is begun in the same database', 'WHERE is_forced OR e.identity <> ledger.identity()', ''],
      ['no chain is asked about executions', 'SET due_at = ledger.clock() WHERE', 'SET due_at = NULL WHERE'],
      ['it does not wait for the disk', 'SET LOCAL synchronous_commit = on;', ''],
    ],
    time_of: [
      ['times are in seconds', "interval '1 millisecond'", "interval '1 second'"],
      ['times lack their last bits', '::bit(48)', '::bit(44)'],
      ['times begin in 2000', "timestamptz 'epoch'", "timestamptz '2000-01-01'"],
    ],
    id_at: [
      ['ids are in seconds', 'extract(epoch FROM moment) * 1000', 'extract(epoch FROM moment)'],
      ['times are too large', "12, '0')", "12, '1')"],
      ['times are those of Tokyo', 'epoch FROM moment)', "epoch FROM moment AT TIME ZONE 'Asia/Tokyo')"],
    ],
    new_id: [
      ['the id is of another version', "placing '7' FROM 15", "placing '4' FROM 15"],
      ['the version is in another place', 'FROM 15', 'FROM 20'],
      ['the id is of no time', ':release.id_at(moment)', 'gen_random_uuid()'],
    ],
    utc_day: [
      ['days are those of Tokyo', "'UTC'", "'Asia/Tokyo'"],
      ['days are those of Honolulu', "'UTC'", "'Pacific/Honolulu'"],
      ['it is the day after', '::date', '::date + 1'],
    ],
    is_near: [
      ['ids of the past are accepted', "BETWEEN now_at - interval '1 day'", "BETWEEN now_at - interval '9 days'"],
      ['ids of the future are accepted', "AND now_at + interval '1 day'", "AND now_at + interval '9 days'"],
      ['ids of a moment ago are refused', "BETWEEN now_at - interval '1 day'", 'BETWEEN now_at'],
    ],
    lock_day: [
      ['nothing is locked', "'/' || (of_day", 'random() || (of_day'],
      ['the days of all networks have one lock', "|| of_network || '/'", "|| '/'"],
      ['all days of a network have one lock', "(of_day - date 'epoch')", '0'],
    ],
    open_part: [
      ['a full part goes on', 'count(*)::integer', '0'],
      ['a part takes one change too many', 'd.changes >= 4000', 'd.changes > 4000'],
      ['full parts of other days count', 'AND d.day = of_day ', ''],
    ],
    take_from_day: [
      ['the amount is added', '-amount, 0)', 'amount, 0)'],
      ['the amount is taken twice', '-amount, 0)', '-2 * amount, 0)'],
      ['the use is replaced', 'd.used + excluded.used', 'excluded.used'],
    ],
  },
};
