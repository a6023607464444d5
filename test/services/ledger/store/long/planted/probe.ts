import type { PlantedFile } from './planted-function.ts';

export const PROBE: PlantedFile = {
  file: 'probe.sql',
  tests: ['ledger/store/probe', 'ledger/store/locks', 'ledger/store/gate'],
  faults: {
    status: [
      ['a database that does not wait for its disk is believed', "WHEN current_setting('fsync') = 'off'", 'WHEN false'],
      ['a read-only database is believed', "WHEN current_setting('transaction_read_only') = 'on'", 'WHEN false'],
      ['a database that may lose pages is believed', "WHEN current_setting('full_page_writes') = 'off'", 'WHEN false'],
      ['another isolation is accepted', "current_setting('transaction_isolation') <> 'read committed'", 'false'],
      ['a later format is accepted', 'ORDER BY e.number DESC LIMIT 1) <> 1', 'ORDER BY e.number DESC LIMIT 1) < 1'],
      ['a database that was restored is open at once', 'WHERE e.number > 0) + interval', 'WHERE false) + interval'],
      ['a database that was restored is open too early', "interval '10 seconds'", "interval '1 second'"],
    ],
    probe: [
      ['it does not wait for the disk', 'open_batch(true)', 'open_batch(false)'],
      ['probes add up', "PERFORM pg_advisory_xact_lock(hashtextextended('ledger.probe', 0));", ''],
      ['it commits nothing', "PERFORM pg_logical_emit_message(true, 'ledger.probe', '');", ''],
    ],
    probe_disk: [
      ['it commits nothing', 'PERFORM :release.probe();', ''],
      ['the table is elsewhere', "SET LOCAL temp_tablespaces = '';", ''],
      ['a full disk still has room for it', 'generate_series(1, 8192)', 'generate_series(1, 1)'],
      ['the table stays', 'DROP TABLE pg_temp.disk_probe;', ''],
    ],
  },
};
