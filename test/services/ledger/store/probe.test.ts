import test from 'ava';
import { readDatabaseStatus } from '../../../../services/ledger/store/status.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { connected } from '../../../kit/owned-database.ts';
import { beside } from './held-lock.ts';
import { createLedgerDatabase, openOwnLedger, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
const { url } = database;
test.after.always(() => database.stop());

const FAULT = `SELECT fault FROM ${LEDGER_FUNCTIONS}.status()`;
/** Answers for the settings of a server that a session cannot change. */
const SETTINGS = `CREATE SCHEMA other;
  CREATE FUNCTION other.current_setting(name text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN name = pg_catalog.current_setting('tests.off') THEN 'off' ELSE pg_catalog.current_setting(name) END
  $$`;

/** The fault of a transaction, which is rolled back. */
const faultOf = (...statements: readonly string[]): Promise<string> =>
  connected(url, async (client) => {
    for (const statement of statements) await client.query(statement);
    const { rows } = await client.query<{ fault: string | null }>(FAULT);
    await client.query('ROLLBACK');
    return rows.map(({ fault }) => fault).join();
  });

test('a database that could lose commits has a fault', async (t) => {
  t.is(await faultOf('BEGIN'), '');
  t.regex(await faultOf('BEGIN READ ONLY'), /read-only/);
  t.regex(await faultOf('BEGIN ISOLATION LEVEL SERIALIZABLE'), /isolation/);
  t.regex(await faultOf('BEGIN', 'UPDATE ledger.epoch SET format = 2'), /later_format/);
  for (const name of ['fsync', 'full_page_writes']) {
    const off = [`SET LOCAL tests.off = '${name}'`, 'SET LOCAL search_path = other, public, pg_catalog'];
    t.regex(await faultOf('BEGIN', SETTINGS, ...off), new RegExp(`${name} is off`));
  }
});

test('a database that was restored takes reservations after ten seconds', async (t) => {
  const { ledger } = await openOwnLedger(t);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  await ledger.query(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch(true)`);
  await ledger.setClock(nowMs + 9999);
  t.regex((await readDatabaseStatus(ledger.pool)).fault ?? '', /restored/);
  await ledger.setClock(nowMs + 10_000);
  t.is((await readDatabaseStatus(ledger.pool)).fault, undefined);
});

test('a probe of the disk is a probe, in the tablespace of the database, and leaves nothing', async (t) => {
  const ledger = openTrialLedger(t, database);
  const probe = `SELECT ${LEDGER_FUNCTIONS}.probe_disk()`;
  const hold = ["SELECT pg_advisory_xact_lock(hashtextextended('ledger.probe', 0))", []] as const;
  t.like(await beside(url, ledger, hold, () => ledger.query(probe)), { waits: true });
  await connected(url, async (client) => {
    await client.query("BEGIN; SET LOCAL temp_tablespaces = 'pg_default'");
    await client.query(probe);
    await client.query(probe);
    const { rows } = await client.query("SELECT current_setting('temp_tablespaces') AS spaces");
    t.deepEqual(rows, [{ spaces: '""' }]);
    await client.query('ROLLBACK');
  });
});
