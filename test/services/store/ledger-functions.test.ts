import test from 'ava';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { migrate } from '../../../services/store/database.ts';
import { LEDGER_FUNCTIONS } from '../../../services/store/ledger-functions.ts';
import { connected } from '../../kit/owned-database.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** The schemas of functions that are there, and those that are recorded, the newest first. */
const listReleases = (url: string) =>
  connected(url, async (client) => {
    const { rows: found } = await client.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ledger\\_%'");
    const { rows } = await client.query('SELECT functions_schema FROM ledger.release ORDER BY number DESC');
    return {
      there: found.map(({ nspname }) => nspname).toSorted(),
      recorded: rows.map(({ functions_schema: name }) => name),
    };
  });

/** What another release does when it starts. */
const startRelease = (url: string, name: string) =>
  connected(url, async (client) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
    await client.query('DELETE FROM ledger.release WHERE functions_schema = $1', [name]);
    await client.query('INSERT INTO ledger.release (functions_schema) VALUES ($1)', [name]);
  });

test('processes that start together install the functions once, and only their owner may call them', async (t) => {
  const { url, stop } = await createTestDatabase();
  t.teardown(stop);
  await connected(url, (client) => client.query(`DROP SCHEMA ${LEDGER_FUNCTIONS} CASCADE`));
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, logger)));
  await connected(url, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE has_function_privilege('tollhouse_verification', oid, 'EXECUTE')) AS open, count(*) > 10
        AS are_there FROM pg_proc WHERE pronamespace IN ($1::regnamespace, 'ledger'::regnamespace)`,
      [LEDGER_FUNCTIONS],
    );
    t.deepEqual(rows, [{ open: '0', are_there: true }]);
    const { rows: rights } = await client.query(
      `SELECT bool_or(has_schema_privilege('tollhouse_verification', nspname, 'USAGE')) AS schemas, (
        SELECT bool_or(has_table_privilege('tollhouse_verification', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE'))
        FROM pg_class WHERE relnamespace = 'ledger'::regnamespace AND relkind IN ('r', 'p')) AS tables
      FROM pg_namespace WHERE nspname IN ('ledger', $1)`,
      [LEDGER_FUNCTIONS],
    );
    t.deepEqual(rights, [{ schemas: false, tables: false }]);
  });
  t.deepEqual(await listReleases(url), { there: [LEDGER_FUNCTIONS], recorded: [LEDGER_FUNCTIONS] });
});

test('functions of this release and of the last two others stay, in the order of their last starts', async (t) => {
  const { url, stop } = await createTestDatabase();
  t.teardown(stop);
  const [first, second, third] = ['ledger_000000000001', 'ledger_000000000002', 'ledger_000000000003'] as const;
  for (const name of [first, second]) await startRelease(url, name);
  await migrate(url, logger);
  t.deepEqual((await listReleases(url)).recorded, [LEDGER_FUNCTIONS, second, first]);
  // The operator goes back to the first one, and then forward.
  await startRelease(url, first);
  await startRelease(url, third);
  await migrate(url, logger);
  t.deepEqual(await listReleases(url), {
    there: [first, third, LEDGER_FUNCTIONS].toSorted(),
    recorded: [LEDGER_FUNCTIONS, third, first],
  });
});

test('a release that is older than the schema installs its functions too', async (t) => {
  const { url, stop } = await createTestDatabase();
  t.teardown(stop);
  await connected(url, async (client) => {
    await client.query(`DROP SCHEMA ${LEDGER_FUNCTIONS} CASCADE`);
    await client.query("INSERT INTO schema_migration (name, run_on) VALUES ('9999_later', now())");
  });
  await migrate(url, logger);
  t.deepEqual((await listReleases(url)).there, [LEDGER_FUNCTIONS]);
});
