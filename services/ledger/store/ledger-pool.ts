import pg from 'pg';
import { LEDGER_FUNCTIONS } from '../../store/ledger-functions.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { explainFailure, isOtherDatabase } from './ledger-errors.ts';

export interface LedgerPoolOptions {
  readonly url: string;
  readonly connections: number;
  readonly statementTimeoutMs: number;
  /** A connection broke. The pool replaces it. */
  readonly onError: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 3000;
/**
 * A batch looks up a few ids in tables that grow and shrink quickly, so plans that scan are excluded. Plans are made once for
 * each connection: making one for each item takes ten times as long as its lookup, because the tables have partitions.
 */
const PLANS = `SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off;
  SET jit = off; SET plan_cache_mode = force_generic_plan`;
/** As `open_batch` knows it, which only reads do not call. */
const IDENTITY = "coalesce(nullif(current_setting('ledger.identity', true), ''), ledger.identity())";

/** Opens a pool of connections for the ledger's functions. 64-bit integers are read as bigints. */
export function openLedgerPool({ url, connections, statementTimeoutMs, onError }: LedgerPoolOptions): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, BigInt);
  types.setTypeParser(pg.types.builtins.DATE, String);
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    // A new connection makes all plans of the functions again, which takes tens of milliseconds.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
    types,
    // A pooler may ignore options of the start.
    onConnect: async (client) => {
      await client.query(PLANS);
    },
  });
  // Without listeners, an error of a connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

const names = new Map<string, string>();
/** The name of a prepared statement. The same few statements come again and again. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `ledger${names.size}`;
  names.set(text, name);
  return name;
}

type Row = Readonly<Record<string, unknown>>;

/** A server and its timeline. */
interface Seen {
  readonly system: string;
  readonly timeline: number;
}

const seenBy = new WeakMap<pg.Pool, Seen>();

/**
 * Calls a function of this release, as one transaction. If the database was restored, moved or promoted, an epoch of the
 * ledger begins first.
 * @throws {LedgerUnavailableError} `refused`: nothing was done. `uncertain`: a repeat with the same ids tells
 */
export async function callFunction(pool: pg.Pool, name: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ');
  const text = `SELECT f.*, ${IDENTITY} AS identity FROM ${LEDGER_FUNCTIONS}.${name}(${parameters}) f`;
  const rows = await runStatement(pool, text, values).catch(async (error: unknown) => {
    if (!isOtherDatabase(error)) throw error;
    await runStatement(pool, `SELECT ${LEDGER_FUNCTIONS}.begin_epoch(false)`, []);
    return runStatement(pool, text, values);
  });
  const [row] = rows;
  if (row !== undefined) assertLatest(pool, String(row['identity']));
  return rows;
}

/** A primary that was replaced may still answer, and what it commits is lost. @throws {LedgerUnavailableError} */
function assertLatest(pool: pg.Pool, identity: string): void {
  const [system = '', timelineHex = ''] = identity.split('/');
  const timeline = Number.parseInt(timelineHex, 16);
  const seen = seenBy.get(pool);
  if (seen?.system === system && timeline < seen.timeline) {
    throw new LedgerUnavailableError(
      'uncertain',
      `the server is on timeline ${timeline}, which ${seen.timeline} has replaced`,
    );
  }
  if (seen?.system !== system || timeline > seen.timeline) seenBy.set(pool, { system, timeline });
}

/**
 * Runs one statement, which is one transaction.
 * @throws {LedgerUnavailableError} `refused`: nothing was done. `uncertain`: a repeat with the same ids tells
 */
export async function runStatement(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new LedgerUnavailableError('refused', 'the database of the ledger cannot be reached', { cause });
  });
  const warnings: string[] = [];
  const onNotice = ({
    code,
    message,
  }: {
    readonly code?: string | undefined;
    readonly message?: string | undefined;
  }) => {
    if (code?.startsWith('01')) warnings.push(`${message}`);
  };
  client.on('notice', onNotice);
  try {
    const { rows } = await client.query<Row>({ name: nameOf(text), text, values: [...values] });
    // A server that stops waiting for its standby commits locally, and says so by a warning only.
    if (warnings.length > 0) throw new LedgerUnavailableError('uncertain', warnings.join('; '));
    client.off('notice', onNotice);
    client.release();
    return rows;
  } catch (error) {
    const failure = explainFailure(error);
    client.off('notice', onNotice);
    // Unless the server has answered, the statement may still be running on this connection, so nobody else gets it.
    client.release(failure.code !== 'refused');
    throw failure;
  }
}
