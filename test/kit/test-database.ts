import { randomUUID } from 'node:crypto';
import { createLogger } from '../../services/platform/process/logger.ts';
import { type Database, openDatabase } from '../../services/store/database.ts';
import { adminUrlOf, connected, giveToOwner } from './owned-database.ts';
import { startSeededPostgres } from './seeded-postgres.ts';
import { startTestPostgres } from './servers.ts';
import { createTestFolder } from './test-folder.ts';
import { HANG_MS } from './until.ts';

const VARIABLE = 'TOLLHOUSE_TEST_POSTGRES';
/** Files that run at the same time have a few connections each. */
const CONNECTIONS = 500;

export interface TestDatabase {
  readonly url: string;
  /** A pool of connections to it. */
  readonly database: Database;
  /** Closes the pool and removes the database. */
  stop(): Promise<void>;
}

/**
 * Creates a database with the product's schema. `npm test` starts one server for the databases of all test files; otherwise each
 * database has a server of its own. A test that changes the server itself uses `startTestPostgres`.
 */
export async function createTestDatabase(
  options: Partial<Parameters<typeof openDatabase>[0]> = {},
): Promise<TestDatabase> {
  const sharedUrl = process.env[VARIABLE];
  const { url, stop } = sharedUrl === undefined ? await startTestPostgres() : await copyTemplate(sharedUrl);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url, connections: 8, connectTimeoutMs: HANG_MS, logger, ...options });
  return {
    url,
    database,
    async stop() {
      await database.destroy();
      await stop();
    },
  };
}

/** Copies the database that a new server has, to which nobody else connects. */
async function copyTemplate(serverUrl: string): Promise<Pick<TestDatabase, 'url' | 'stop'>> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = adminUrlOf(serverUrl, 'postgres');
  await connected(admin, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE tollhouse STRATEGY FILE_COPY`));
  return {
    url: await giveToOwner(adminUrlOf(serverUrl, name)),
    stop: () => connected(admin, async (client) => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`))),
  };
}

/** Starts the server of all test files. @returns the environment in which `createTestDatabase` finds it */
export async function startSharedPostgres() {
  const folder = createTestFolder();
  const first = await startSeededPostgres(folder.place('postgres'));
  await connected(adminUrlOf(first.url), (client) => client.query(`ALTER SYSTEM SET max_connections = ${CONNECTIONS}`));
  await first.stop();
  const server = await startSeededPostgres(folder.place('postgres'));
  return {
    url: server.url,
    environment: { [VARIABLE]: server.url },
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}
