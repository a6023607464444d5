import test from 'ava';
import { sql } from 'kysely';
import { startPostgres } from '../../../scripts/launch/servers/postgres.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { findMigrations, migrate, openDatabase, UnusableSchemaError } from '../../../services/store/database.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ownProcess } from '../../kit/own-process.ts';
import { connected } from '../../kit/owned-database.ts';
import { startTestPostgres } from '../../kit/servers.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';

ownProcess('it counts the open sockets of its process');

const logger = createLogger({ name: 'test', level: 'silent' });
const server = await startTestPostgres();
test.after.always(() => server.stop());

test.serial(
  'a connection that breaks between two queries of a transaction fails the transaction, and not the process',
  async (t) => {
    const database = openDatabase({ url: server.url, connections: 2, logger });
    const pidQuery = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
    const broken = database.transaction().execute(async (transaction) => {
      const { rows } = await pidQuery.execute(transaction);
      const { pid } = defined(rows[0]);
      await sql`SELECT pg_terminate_backend(${pid}, 5000)`.execute(database);
      // The end of the connection is on the socket by now. The process reads it before the next query fails.
      await new Promise((resolve) => setImmediate(resolve));
      await pidQuery.execute(transaction);
    });
    await t.throwsAsync(broken);
    t.is((await pidQuery.execute(database)).rows.length, 1);
    await database.destroy();
  },
);

test.serial('a connection whose query has no answer in time is replaced', async (t) => {
  const database = openDatabase({ url: server.url, connections: 1, logger, statementTimeoutMs: 1000 });
  const readPid = async () => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database);
    return defined(rows[0]).pid;
  };
  const pid = await readPid();
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => process.kill(pid, 'SIGCONT'));
  await t.throwsAsync(readPid, { message: 'Query read timeout' });
  t.not(await until(readPid), pid);
  await database.destroy();
});

test.serial(
  'a migration closes its connections, so that a server that stops right after it causes no error',
  async (t) => {
    const folder = createTestFolder();
    t.teardown(folder.remove);
    const own = await startPostgres(folder.place('postgres'));
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = sockets();
    await migrate(own.url, logger);
    t.is(sockets(), before);
    await own.stop();
  },
);

test.serial('commits wait for the disk, also where the default of the server is off', async (t) => {
  for (const [setting, used] of [
    ['off', 'on'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    await connected(server.url, (client) =>
      client.query(`ALTER ROLE CURRENT_USER SET synchronous_commit = ${setting}`),
    );
    const database = openDatabase({ url: server.url, connections: 1, logger });
    const { rows } = await sql`SELECT current_setting('synchronous_commit') AS used`.execute(database);
    t.deepEqual(rows, [{ used }]);
    await database.destroy();
  }
  await connected(server.url, (client) => client.query('ALTER ROLE CURRENT_USER RESET synchronous_commit'));
});

test.serial('the owner reads all rows of every table, so that its dumps are complete', async (t) => {
  const rows = await connected(server.url, async (client) => {
    const hidden = `SELECT relname FROM pg_class WHERE relrowsecurity AND NOT EXISTS (
      SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polcmd IN ('r', '*') AND polpermissive
        AND polroles = ARRAY['tollhouse_owner'::regrole::oid] AND pg_get_expr(polqual, polrelid) = 'true')`;
    return (await client.query(hidden)).rows;
  });
  t.deepEqual(rows, []);
});

test.serial('a process starts on a later schema that still suits it, and is refused on any other schema', async (t) => {
  const database = openDatabase({ url: server.url, connections: 1, logger });
  await migrate(server.url, logger);
  t.deepEqual(await findMigrations(database), { missing: [], unknown: [] });
  const later = '9999_later';
  await sql`INSERT INTO schema_migration (name, run_on) VALUES (${later}, now())`.execute(database);
  await t.notThrowsAsync(migrate(server.url, logger));
  t.deepEqual(await findMigrations(database), { missing: [], unknown: [later] });
  await sql`UPDATE schema_compatibility SET oldest = ${later}`.execute(database);
  await t.throwsAsync(migrate(server.url, logger), { instanceOf: UnusableSchemaError, message: /9999_later/ });

  await sql`UPDATE schema_migration SET name = '0001_before_the_release' WHERE name = '0001_operators'`.execute(
    database,
  );
  await t.throwsAsync(migrate(server.url, logger), {
    instanceOf: UnusableSchemaError,
    message: /before the first release/,
  });
  await database.destroy();
});
