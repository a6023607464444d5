import test from 'ava';
import { dropNonces } from '../../../../services/ledger/store/partitions.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { until } from '../../../kit/until.ts';
import { openOwnLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
/** The first day of a month, so that the month before it is made, too. */
const NOON_MS = Date.UTC(2031, 6, 1, 12);
const BOUNDS = `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_class c
  WHERE c.relnamespace = 'ledger'::regnamespace AND c.relkind = 'r' AND c.relname LIKE $1 ORDER BY 1`;
const WATERMARK = 'SELECT dropped_until FROM ledger.nonce_watermark';

test('partitions cover the days and months around now without a gap', async (t) => {
  const { ledger } = await openOwnLedger(t);
  await ledger.setClock(NOON_MS);
  const days = await ledger.query(BOUNDS, ['nonce_203%']);
  t.deepEqual(
    days.map(({ name }) => name),
    ['nonce_20310630', 'nonce_20310701', 'nonce_20310702', 'nonce_20310703'],
  );
  const months = await ledger.query(BOUNDS, ['entry_203%']);
  t.deepEqual(
    months.map(({ name }) => name),
    ['entry_203106', 'entry_203107', 'entry_203108'],
  );
  for (const parts of [days, months]) {
    const ranges = parts.map(({ bound }) => String(bound).match(/'[^']+'/g) ?? []);
    t.deepEqual(
      ranges.slice(1).map(([first]) => first),
      ranges.slice(0, -1).map(([, end]) => end),
    );
  }
  const listed = await ledger.query(`SELECT name, first::text FROM ${LEDGER_FUNCTIONS}.partitions('entry', 'YYYYMM')
    WHERE name LIKE '%_203%'`);
  t.deepEqual(listed, [
    { name: 'entry_203106', first: '2031-06-01' },
    { name: 'entry_203107', first: '2031-07-01' },
    { name: 'entry_203108', first: '2031-08-01' },
  ]);
  t.deepEqual(await ledger.query(`SELECT FROM ${LEDGER_FUNCTIONS}.partitions('nonce', 'YYYYMM')`), []);
});

test('the watermark is the end of the last day that was dropped, and never goes back', async (t) => {
  const { ledger } = await openOwnLedger(t);
  await ledger.setClock(NOON_MS);
  const drop = (nowMs: number) => until(() => dropNonces(ledger.pool, nowMs).then(() => true));
  await ledger.setClock(NOON_MS + 2 * DAY_MS);
  await drop(NOON_MS + 2 * DAY_MS);
  const watermark = [{ dropped_until: new Date(Date.UTC(2031, 6, 2)) }];
  t.deepEqual(await ledger.query(WATERMARK), watermark);
  t.deepEqual(
    (await ledger.query(BOUNDS, ['nonce_203%'])).map(({ name }) => name),
    ['nonce_20310702', 'nonce_20310703', 'nonce_20310704', 'nonce_20310705'],
  );
  await ledger.setClock(NOON_MS - 9 * DAY_MS);
  await ledger.setClock(NOON_MS);
  await drop(NOON_MS);
  t.deepEqual(await ledger.query(WATERMARK), watermark);
});
