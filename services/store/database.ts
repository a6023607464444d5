import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { JobsTables } from './jobs-tables.ts';
import type { PaymentTables } from './payment-tables.ts';
import type { VerificationTables } from './verification-tables.ts';

export type AccessKind = 'trial' | 'payment';

export interface Tables extends JobsTables, PaymentTables, VerificationTables {
  retained_body: {
    /** YYYY-MM-DD, UTC. */
    day: string;
    record_id: string;
    access: AccessKind;
    operation: string;
    key_id: string;
    request_body: Buffer;
    response_body: Buffer;
  };
  obligation: { record_id: string; access: AccessKind; due_at: Date; attempts: number };
  ledger_witness: { network: string; epoch: string; sequence: bigint };
}

export type Database = Kysely<Tables>;

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migration';
const STATEMENT_TIMEOUT_MS = 10_000;

/** A pool of connections. Dates stay text and bigints exact. */
export function openDatabase(options: {
  readonly url: string;
  readonly connections: number;
  readonly logger: Logger;
  /** Role that every connection takes on, which the user of the URL is a member of. */
  readonly role?: string;
  /** Longest time for a statement. */
  readonly statementTimeoutMs?: number;
}): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, BigInt);
  types.setTypeParser(pg.types.builtins.DATE, String);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: 3000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
    types,
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
  });
  const logError = createRepeatedErrorLog({ logger: options.logger, message: 'database connection lost' });
  // A connection that breaks is replaced. Without listeners it would end the process: of the pool for an idle one, of
  // the client for one that is in use and just then between two queries of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', logError);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Resolves when the database answers and takes writes: after a failover a process may be connected to a standby. */
export async function checkDatabase(database: Database): Promise<void> {
  const { rows } = await sql<{ readOnly: string }>`
    SELECT current_setting('transaction_read_only') AS "readOnly"`.execute(database);
  if (rows[0]?.readOnly !== 'off') throw new Error('the database does not take writes');
}

/** Applies the migrations that are missing. Processes that start at the same time wait for each other. */
export async function migrate(url: string, logger: Logger): Promise<void> {
  // The runner does not wait for a connection of its own to close, and such a connection has no error listener: a
  // server that stops right after would end the process.
  await withClient(url, logger, async (client) => {
    if (!(await isUpToDate(client))) await applyMigrations(client, logger);
  });
}

async function applyMigrations(dbClient: pg.Client, logger: Logger): Promise<void> {
  // Loading the runner takes a fifth of a second, and most starts do not need it.
  const { runner } = await import('node-pg-migrate');
  await runner({
    dbClient,
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: MIGRATIONS_TABLE,
    advisoryLockMode: 'wait',
    logger: {
      info: () => {},
      debug: () => {},
      warn: (message) => logger.warn(message),
      error: (message) => logger.error(message),
    },
  });
}

async function isUpToDate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1)::text AS found', [
    MIGRATIONS_TABLE,
  ]);
  if (rows[0]?.found == null) return false;
  const applied = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY name`);
  const known = readdirSync(MIGRATIONS).map((file) => parse(file).name);
  return applied.rows.map(({ name }) => name).join() === known.toSorted().join();
}

/** Runs `use` on a connection of its own, and waits until that connection is closed. */
async function withClient<T>(url: string, logger: Logger, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', (error) => logger.warn({ err: error }, 'database connection lost'));
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
