import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { freePort } from '../../../launch/servers/free-port.ts';
import { ROLE } from '../../../launch/servers/postgres-data.ts';
import type { OwnProduct } from '../target/own-product.ts';
import { TABLES } from './tables.ts';

/** The smallest product of this architecture. */
export interface Floor {
  readonly origin: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export const FLOOR_DATABASE = 'floor';
/** As the launcher starts the gateway and the back office. */
const FLAGS = ['--max-semi-space-size=8'];

/**
 * Starts the floor beside a product: three processes of its own, with a database on the product's PostgreSQL and locks in its
 * Redis. It does what a trial cannot do without, and checks, logs, limits and recovers nothing.
 */
export async function startFloor({ dataDir }: OwnProduct): Promise<Floor> {
  const runDir = runFolderOf(dataDir);
  const urlOf = (database: string) =>
    `postgresql://${ROLE}@localhost/${database}?host=${encodeURIComponent(`${runDir}-pg`)}`;
  await run(urlOf('postgres'), `CREATE DATABASE ${FLOOR_DATABASE}`);
  await run(urlOf(FLOOR_DATABASE), TABLES);
  const children: ChildProcess[] = [];
  const start = async (name: string, args: readonly string[]) => {
    const path = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
    const child = spawn(process.execPath, [...FLAGS, path, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.push(child);
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error(`the ${name} of the floor did not start`))),
    ]);
  };
  const [backoffice, content] = [`unix:${runDir}/floor-backoffice.sock`, `unix:${runDir}/floor-content.sock`];
  const port = await freePort();
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  };
  try {
    await start('backoffice', [backoffice, urlOf(FLOOR_DATABASE)]);
    await start('content', [content]);
    await start('gateway', [String(port), backoffice, content, `unix://${runDir}/redis.sock`]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: `http://127.0.0.1:${port}`, pids: children.map(({ pid }) => Number(pid)), stop };
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
