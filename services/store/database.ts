import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { ConfigurationError } from '../platform/process/environment.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import { explainConnectFailure } from './connect-failure.ts';
import { installLedgerFunctions } from './ledger-functions.ts';
import { assertPrepared, examineRequirements, type Query, type Requirement } from './preparation.ts';
import { onlyRow } from './rows.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migration';
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3000;
/** A server whose default is off would lose what was answered as done. A stricter default stays. */
export const COMMIT_DURABLY = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off'`;

/** Opens a pool of connections. Dates are read as text, and 64-bit integers as bigints. */
export function openDatabase(options: {
  readonly url: string;
  readonly connections: number;
  readonly logger: Logger;
  /** Role of every connection. The user of the URL must be a member of it. */
  readonly role?: string;
  /** Longest time for a statement. */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a connection, also for one of the pool that is in use. */
  readonly connectTimeoutMs?: number;
}): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, BigInt);
  types.setTypeParser(pg.types.builtins.DATE, String);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
    types,
    onConnect: async (client) => {
      await client.query(COMMIT_DURABLY);
    },
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
  });
  const logError = createRepeatedErrorLog({ logger: options.logger, message: 'database connection lost' });
  // The pool replaces a connection that breaks. Without listeners, the error would end the process: that of the pool for
  // an idle connection, and that of the client for one in use that breaks between two queries of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', logError);
    endWhenLate(client);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Ends a connection on which a query has no answer in time. Its server may be gone, and other queries would wait behind it. */
function endWhenLate(client: pg.PoolClient): void {
  const { query } = client;
  const queryOnce = (...given: readonly unknown[]): unknown => {
    const answer: unknown = Reflect.apply(query, client, given);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout' && client instanceof pg.Client)
          void client.end();
      });
    }
    return answer;
  };
  Object.assign(client, { query: queryOnce });
}

export const READ_ONLY = sql<string>`current_setting('transaction_read_only')`;

/** After a failover, a process may be connected to a standby. @throws {Error} if `READ_ONLY` is not off */
export function assertWritable(readOnly: string): void {
  if (readOnly !== 'off') throw new Error('the database does not take writes');
}

/** Checks that the database answers and takes writes. */
export async function checkDatabase(database: Database): Promise<void> {
  const { rows } = await sql<{ readOnly: string }>`SELECT ${READ_ONLY} AS "readOnly"`.execute(database);
  assertWritable(onlyRow(rows).readOnly);
}

/**
 * Applies missing migrations, and installs the functions of this release. Processes that start at the same time wait for each other.
 * @throws {ConfigurationError} if the server refuses the connection, or the database is not prepared
 * @throws {DatabaseUnreachableError}
 * @throws {UnusableSchemaError}
 */
export async function migrate(url: string, logger: Logger): Promise<void> {
  // The runner would not wait until its own connection is closed, and that connection has no error listener: a server
  // that stops right after would end the process. So the runner gets a connection.
  await withClient(url, logger, async (client) => {
    const query = queryOf(client);
    await assertPrepared(query);
    const { missing, unknown } = await compareMigrations(query);
    if (unknown.length > 0) await assertCompatible(client, { missing, unknown });
    else if (missing.length > 0) {
      // The runner takes a fifth of a second to load, and most starts do not need it.
      const { applyMigrations } = await import('./apply-migrations.ts');
      await applyMigrations(client, { dir: MIGRATIONS, migrationsTable: MIGRATIONS_TABLE }, logger);
    }
    await installLedgerFunctions(client);
  });
}

/** Another version of Tollhouse made the schema, and this version cannot use it. */
export class UnusableSchemaError extends ConfigurationError {
  override readonly name = 'UnusableSchemaError';
}

/** During an upgrade, processes of this version may run beside those of the next one. */
async function assertCompatible(client: pg.Client, { missing, unknown }: MigrationState): Promise<void> {
  // A later version has every migration of this one.
  if (missing.length > 0) {
    throw new UnusableSchemaError(
      'the database was made before the first release of Tollhouse, and cannot be upgraded: ' +
        'use an empty database, or another TOLLHOUSE_DATA',
    );
  }
  const { rows } = await client.query<{ oldest: string }>('SELECT oldest FROM schema_compatibility');
  if (knownMigrations().includes(onlyRow(rows).oldest)) return;
  throw new UnusableSchemaError(
    `the database has the schema of a later version of Tollhouse (${unknown.at(-1)}), which this version cannot use: ` +
      'start the later version, or restore a backup from before the upgrade',
  );
}

interface MigrationState {
  /** Names of migrations that the database lacks. */
  readonly missing: readonly string[];
  /** Names of applied migrations that this version does not know. */
  readonly unknown: readonly string[];
}

const knownMigrations = (): readonly string[] => readdirSync(MIGRATIONS).map((file) => parse(file).name);

const queryOf =
  (client: pg.Client): Query =>
  async <Row extends pg.QueryResultRow>(statement: string) =>
    (await client.query<Row>(statement)).rows;

async function compareMigrations(query: Query): Promise<MigrationState> {
  const applied = await appliedMigrations(query);
  const known = knownMigrations();
  const without = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => !others.includes(name)).toSorted();
  return { missing: without(known, applied), unknown: without(applied, known) };
}

async function appliedMigrations(query: Query): Promise<readonly string[]> {
  const tables = await query<{ found: string | null }>(`SELECT to_regclass('${MIGRATIONS_TABLE}')::text AS found`);
  if (onlyRow(tables).found === null) return [];
  const applied = await query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE}`);
  return applied.map(({ name }) => name);
}

const queryIn =
  (database: Database): Query =>
  async <Row>(statement: string) =>
    (await sql.raw<Row>(statement).execute(database)).rows;

/** Which migrations the database lacks, or has from a later version. */
export const findMigrations = (database: Database): Promise<MigrationState> => compareMigrations(queryIn(database));

/** What a process needs to start on this database, and whether the database has it. */
export const findRequirements = (database: Database): Promise<readonly Requirement[]> =>
  examineRequirements(queryIn(database));

/** Connects once. @throws as `migrate` does if it cannot */
export const assertReachable = (url: string, logger: Logger): Promise<void> => withClient(url, logger, async () => {});

/** Runs `use` on a separate connection, and waits until that connection is closed. */
async function withClient<T>(url: string, logger: Logger, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', (error) => logger.warn({ err: error }, 'database connection lost'));
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error instanceof Error ? explainConnectFailure(error, client) : error;
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
