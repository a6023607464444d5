import test from 'ava';
import { formatScan, openScanned, runScan } from '../../../../../../scripts/lab/quality/maps/scans/scan.ts';
import { SCANS } from '../../../../../../scripts/lab/quality/maps/scans/scans.ts';

const scanned = await openScanned();

for (const scan of SCANS) {
  test(`the scan of ${scan.name} finds nothing wrong`, (t) => {
    const result = runScan(scan, scanned);
    t.true(result.checked > 0);
    t.deepEqual(result.wrong, [], formatScan(result));
    t.is(result.accepted.length, Object.keys(scan.accepted).length, 'every accepted finding is still found');
  });
}
