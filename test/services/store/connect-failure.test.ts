import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ConfigurationError, type StartError } from '../../../services/platform/process/environment.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { DatabaseUnreachableError } from '../../../services/store/connect-failure.ts';
import { assertReachable } from '../../../services/store/database.ts';
import { adminUrlOf, connected, urlFor } from '../../kit/owned-database.ts';
import { startTestPostgres } from '../../kit/servers.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

test('a refused connection is reported with what to do, and without the password', async (t) => {
  const server = await startTestPostgres();
  const file = join(realpathSync(server.folder.place('postgres').dataDir), 'cluster/pg_hba.conf');
  writeFileSync(file, `local all guarded scram-sha-256\n${readFileSync(file, 'utf8')}`);
  await connected(adminUrlOf(server.url), async (client) => {
    await client.query("CREATE ROLE guarded LOGIN PASSWORD 'right'");
    await client.query('ALTER ROLE tollhouse_owner CONNECTION LIMIT 0');
    await client.query('SELECT pg_reload_conf()');
  });
  const guarded = new URL(urlFor(server.url, 'guarded'));
  const withPassword = (password: string) => Object.assign(new URL(guarded), { password }).href;
  const refused = async (
    url: string,
    message: RegExp,
    kind: new (message: string) => StartError = ConfigurationError,
  ) => {
    const error = await t.throwsAsync(assertReachable(url, logger), { instanceOf: kind, message });
    t.regex(String(error?.message), /^DATABASE_URL \(user \w+, database /);
    t.notRegex(String(error?.message), /wrong/);
  };
  await refused(withPassword('wrong'), /password authentication failed.*correct the user and the password/);
  await refused(guarded.href, /add the password/);
  await refused(withPassword('right'), /permission denied for database.*GRANT CONNECT/);
  await refused(urlFor(server.url, 'tollhouse', 'none'), /does not exist.*database prepare/);
  await refused(urlFor(server.url, 'nobody'), /does not exist.*database prepare/);
  await refused(server.url, /too many connections.*lower DATABASE_CONNECTIONS/, DatabaseUnreachableError);
  await server.stop();
  await refused(server.url, /start PostgreSQL, or correct the address/, DatabaseUnreachableError);
});
