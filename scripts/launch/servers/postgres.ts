import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../processes/log-file.ts';
import { privateFolder } from '../processes/run-folder.ts';
import { failedStart, startTied, type TiedProcess } from '../processes/tied-process.ts';
import { isListening, START_TIMEOUT_MS, waitFor } from '../processes/wait-for.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { type Cluster, ensureCluster, forgetDeadServer, ROLE } from './postgres-data.ts';
import type { RunningServer, ServerPlace } from './server.ts';

/** PostgreSQL refuses to run as root. The user `nobody` exists everywhere. */
const UNPRIVILEGED_UID = 65534;
const DATABASE = 'tollhouse';
const LEFTOVER_TRIES = 20;
const LEFTOVER_DELAY_MS = 200;
const STOP_GRACE_MS = 10_000;

function urlOf(socketDir: string, database: string): string {
  return `postgresql://${ROLE}@localhost/${database}?host=${encodeURIComponent(socketDir)}`;
}

/** The URL of the server of a data folder, whether it runs or not. */
export const embeddedUrl = (runDir: string): string => urlOf(socketDirOf(runDir), DATABASE);

// The socket is beside the run folder, because the server's user may not enter the run folder.
const socketDirOf = (runDir: string): string => `${runDir}-pg`;

const socketIn = (socketDir: string): string => join(socketDir, '.s.PGSQL.5432');

/** @returns the number of rows that were read or changed */
async function query(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  // If the server stops, the query fails. Without a listener, the error event would also end this process.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Whether the server takes writes, or reads where it is a standby. It takes reads before it has recovered from a backup. */
async function serves(url: string, isStandby: boolean): Promise<boolean> {
  try {
    return (await query(url, `SELECT WHERE ${isStandby} OR NOT pg_is_in_recovery()`)) === 1;
  } catch {
    return false;
  }
}

async function ensureDatabase(socketDir: string): Promise<string> {
  const maintenance = urlOf(socketDir, 'postgres');
  const found = await query(maintenance, `SELECT FROM pg_database WHERE datname = '${DATABASE}'`);
  if (found === 0) await query(maintenance, `CREATE DATABASE ${DATABASE}`);
  return urlOf(socketDir, DATABASE);
}

interface Launch {
  readonly cluster: Cluster;
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly output: Log['output'];
}

function launch({ cluster, clusterDir, socketDir, output }: Launch): TiedProcess {
  const settings = { listen_addresses: '', unix_socket_directories: socketDir, unix_socket_permissions: '0700' };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startTied({
    command: join(cluster.binDir, 'postgres'),
    args: ['-D', clusterDir, ...options],
    env: cluster.env,
    output,
    ...(cluster.uid === undefined ? {} : { uid: cluster.uid }),
  });
}

/** Starts the server. Retries for a few seconds while children of a killed server still hold its memory. */
async function launchUntilReady(how: Launch, log: ServerPlace['log']): Promise<TiedProcess> {
  for (let attempt = 1; ; attempt += 1) {
    forgetDeadServer(how.clusterDir);
    const postgres = launch(how);
    const hopeless = () => !postgres.running();
    const url = urlOf(how.socketDir, 'postgres');
    const socket = socketIn(how.socketDir);
    const isStandby = existsSync(join(how.clusterDir, 'standby.signal'));
    if (
      await waitFor(async () => (await isListening(socket)) && (await serves(url, isStandby)), {
        timeoutMs: START_TIMEOUT_MS,
        hopeless,
      })
    )
      return postgres;
    const leftover = log.tail(4).some((line) => /still in use|Is another postmaster/.test(line));
    if (!leftover || attempt === LEFTOVER_TRIES) throw await failedStart('PostgreSQL', postgres, log);
    await delay(LEFTOVER_DELAY_MS);
  }
}

/**
 * Starts PostgreSQL on a Unix socket, with a database `tollhouse`. If this process is root's, the server runs as
 * another user. A second server on the same data refuses to start.
 *
 * @param binDir the folder of another PostgreSQL than the embedded one
 * @returns a server whose `url` is for the package `pg`
 * @throws {Error} if PostgreSQL is not installed for this platform, or does not start
 */
export async function startPostgres({ dataDir, runDir, log }: ServerPlace, binDir?: string): Promise<RunningServer> {
  const uid = process.getuid?.() === 0 ? UNPRIVILEGED_UID : undefined;
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const cluster = { binDir: binDir ?? postgresBinaries(uid), dataDir, env, uid };
  const socketDir = privateFolder(socketDirOf(runDir), uid);
  if (await isListening(socketIn(socketDir))) {
    throw new Error(`another PostgreSQL serves ${socketDir}: stop it first`);
  }
  const clusterDir = await ensureCluster(cluster);
  const postgres = await launchUntilReady({ cluster, clusterDir, socketDir, output: log.output }, log);
  return {
    url: await ensureDatabase(socketDir),
    pid: postgres.pid,
    exited: postgres.exited,
    stop: async () => {
      // SIGINT is PostgreSQL's fast shutdown. SIGTERM would wait until every client has left.
      await postgres.stop('SIGINT', STOP_GRACE_MS);
      rmSync(socketDir, { recursive: true, force: true });
    },
  };
}
