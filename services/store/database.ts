import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { JobsTables } from './jobs-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { OperatorTables } from './operator-tables.ts';
import type { PaymentTables } from './payment-tables.ts';
import { onlyRow } from './rows.ts';
import type { VerificationTables } from './verification-tables.ts';

export type AccessKind = 'trial' | 'payment';

export interface Tables extends JobsTables, LedgerTables, OperatorTables, PaymentTables, VerificationTables {
  retained_body: {
    /** YYYY-MM-DD, UTC. */
    day: string;
    record_id: string;
    access: AccessKind;
    operation: string;
    key_id: string;
    request_body: Buffer;
    response_body: Buffer;
    /** What a trial reserved. NULL for payments, and for trials that an earlier release retained. */
    ledger_network: string | null;
    ledger_epoch: string | null;
    ledger_sequence: bigint | null;
    wallet: string | null;
    nonce: string | null;
    amount_micro_usd: bigint | null;
  };
  obligation: { record_id: string; access: AccessKind; due_at: Date; attempts: number };
}

export type Database = Kysely<Tables>;

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migration';
const STATEMENT_TIMEOUT_MS = 10_000;

/** Opens a pool of connections. Dates are read as text, and 64-bit integers as bigints. */
export function openDatabase(options: {
  readonly url: string;
  readonly connections: number;
  readonly logger: Logger;
  /** Role of every connection. The user of the URL must be a member of it. */
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
  // The pool replaces a connection that breaks. Without listeners, the error would end the process: that of the pool for
  // an idle connection, and that of the client for one in use that breaks between two queries of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', logError);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Checks that the database answers and takes writes. After a failover, a process may be connected to a standby. */
export async function checkDatabase(database: Database): Promise<void> {
  const { rows } = await sql<{ readOnly: string }>`
    SELECT current_setting('transaction_read_only') AS "readOnly"`.execute(database);
  if (onlyRow(rows).readOnly !== 'off') throw new Error('the database does not take writes');
}

/** Applies missing migrations. Processes that start at the same time wait for each other. */
export async function migrate(url: string, logger: Logger): Promise<void> {
  // The runner would not wait until its own connection is closed, and that connection has no error listener: a server
  // that stops right after would end the process. So the runner gets a connection.
  await withClient(url, logger, async (client) => {
    if (!(await isUpToDate(client))) await applyMigrations(client, logger);
  });
}

async function applyMigrations(dbClient: pg.Client, logger: Logger): Promise<void> {
  // Loaded on demand: the runner takes a fifth of a second to load, and most starts do not need it.
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
  if (onlyRow(rows).found === null) return false;
  const applied = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY name`);
  const known = readdirSync(MIGRATIONS).map((file) => parse(file).name);
  return applied.rows.map(({ name }) => name).join() === known.toSorted().join();
}

/** Runs `use` on a separate connection, and waits until that connection is closed. */
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
