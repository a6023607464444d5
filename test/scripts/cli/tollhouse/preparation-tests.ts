import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Type } from 'typebox';
import { examinePostgres } from '../../../../scripts/cli/tollhouse/doctor/examine-postgres.ts';
import { examine } from '../../../../scripts/cli/tollhouse/doctor/finding.ts';
import { withDatabase } from '../../../../scripts/cli/tollhouse/stores/operator-database.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { startTied, type TiedProcess } from '../../../../scripts/launch/processes/tied-process.ts';
import { isListening } from '../../../../scripts/launch/processes/wait-for.ts';
import { startPostgres } from '../../../../scripts/launch/servers/postgres.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { migrate } from '../../../../services/store/database.ts';
import { entryPoint } from '../../../kit/entry-point.ts';
import { INHERITED } from '../../../kit/inherited.ts';
import { connected, runPrepared, urlFor } from '../../../kit/owned-database.ts';
import { startTestAnvil, startTestRedis, type TestServer } from '../../../kit/servers.ts';
import { createTestFolder, type TestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';
import { runCommand } from './run-command.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MIGRATIONS = new URL('../../../../services/store/migrations/', import.meta.url);
const OWNER = `o"wn'er $$ \\x`;
const DATABASE = `toll "house" 'x'`;
const PROCESSES = ['verification', 'payments', 'backoffice'] as const;
const logger = createLogger({ name: 'test', level: 'silent' });
const readLine = createJsonReader(Type.Object({ level: Type.Number(), msg: Type.String() }), 'a line of the log');

let redis: TestServer;
let anvil: TestServer;
interface Service {
  readonly process: TiedProcess;
  readonly socket: string;
  readonly log: { tail(lines: number): readonly string[] };
}

function startService(name: (typeof PROCESSES)[number], url: string, { path, runDir, place }: TestFolder): Service {
  const { log } = place(name);
  const socket = join(runDir, `${name}.sock`);
  const env = {
    ...INHERITED,
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    TOLLHOUSE_DATA: path,
    LISTEN: `unix:${socket}`,
    PAYMENTS_URL: `unix:${join(runDir, 'payments.sock')}`,
    SOLVER_THREADS: '1',
    ...(name === 'payments' && { SANDBOX_RPC_URL: anvil.url, SANDBOX_STATE_FILE: join(path, 'chain.json') }),
  };
  const args = [entryPoint(`services/${name}/main.ts`)];
  const child = startTied({ command: process.execPath, args, env, cwd: ROOT, output: log.output });
  return { process: child, socket, log };
}

/** What `doctor` finds about PostgreSQL that is not in order. */
async function faultsOf(url: string): Promise<Readonly<Record<string, string>>> {
  const found = await examine('postgresql', '', () =>
    withDatabase({ environment: { DATABASE_URL: url } }, examinePostgres, { migrates: false }),
  );
  return Object.fromEntries(
    found.filter(({ level }) => level !== 'ok').map((finding) => [finding.check, finding.found]),
  );
}

/** Starts the servers that the tests share. */
export async function startServers(): Promise<void> {
  [redis, anvil] = await Promise.all([startTestRedis(), startTestAnvil()]);
}

export async function stopServers(): Promise<void> {
  await Promise.all([redis?.stop(), anvil?.stop()]);
}

/**
 * Declares the tests of a database that `database prepare` has prepared.
 * @param binDir programs of another PostgreSQL than the embedded one
 */
export function testPreparation(name: string, binDir?: string): void {
  test.serial(`on ${name}, every process starts for a user that only owns its database`, async (t) => {
    const folder = createTestFolder();
    const server = await startPostgres(folder.place('postgres'), binDir);
    t.teardown(async () => {
      await server.stop();
      folder.remove();
    });
    const asSuperuser = (statement: string) => connected(server.url, (client) => client.query(statement));
    // Managed servers have no superuser.
    await asSuperuser('CREATE ROLE administrator LOGIN CREATEROLE CREATEDB');
    const administrator = urlFor(server.url, 'administrator', 'postgres');
    const url = urlFor(server.url, OWNER, DATABASE);

    await t.throwsAsync(migrate(url, logger), { message: /role .* does not exist.*database prepare/s });
    await runPrepared(administrator, url);
    await runPrepared(administrator, url);
    const missing = `${readdirSync(MIGRATIONS).length} migrations are missing, the first is 0001_operators`;
    t.like(await faultsOf(url), { 'postgresql.schema': missing });
    const services = PROCESSES.map((each) => startService(each, url, folder));
    for (const { process: child, socket, log } of services) await until(() => isListening(socket), { child, log });
    t.deepEqual(await faultsOf(url), {});
    await Promise.all(services.map((each) => each.process.stop('SIGTERM', 5000)));

    // The owner of another database has the same role, and must not connect to this one.
    const other = urlFor(server.url, 'other', 'other');
    await runPrepared(administrator, other);
    const intruder = urlFor(url, 'other');
    await t.throwsAsync(migrate(intruder, logger), { message: /permission denied for database.*GRANT CONNECT/ });
    await connected(url, (client) => client.query(`GRANT CONNECT ON DATABASE "toll ""house"" 'x'" TO other`));
    t.regex(String((await faultsOf(url))['postgresql.members']), /read the records of all tenants: other$/);
  });

  test.serial(`on ${name}, a process without the role exits and names the command`, async (t) => {
    const folder = createTestFolder();
    const server = await startPostgres(folder.place('postgres'), binDir);
    t.teardown(async () => {
      await server.stop();
      folder.remove();
    });
    const asSuperuser = (statement: string) => connected(server.url, (client) => client.query(statement));
    await asSuperuser('CREATE ROLE owner LOGIN');
    await asSuperuser('CREATE DATABASE owned OWNER owner');
    const url = urlFor(server.url, 'owner', 'owned');

    t.regex(String((await faultsOf(url))['postgresql.role']), /"owner" may not create it/);
    for (const each of PROCESSES) {
      const { process: child, log } = startService(each, url, folder);
      const exit = await child.exited;
      const lines = log.tail(20);
      t.is(exit, 'exit code 78', lines.join('\n'));
      const { msg } = readLine(String(lines.at(-1)));
      t.regex(msg, /^process exits: the database of DATABASE_URL is not prepared: the role .* database prepare/, each);
      t.false(lines.some((line) => line.includes('CREATE SCHEMA')));
    }

    await asSuperuser('ALTER ROLE owner CREATEROLE');
    t.like(await runCommand({ DATABASE_URL: url }, ['database', 'migrate']), { exitCode: 0, errors: '' });
    await asSuperuser('ALTER ROLE owner NOCREATEROLE');
    t.deepEqual(await faultsOf(url), {});
    await asSuperuser('ALTER ROLE tollhouse_verification BYPASSRLS');
    await t.throwsAsync(migrate(url, logger), { message: /exempt from row-level security/ });
  });
}
