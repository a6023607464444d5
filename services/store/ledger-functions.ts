import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const FOLDER = fileURLToPath(new URL('../ledger/sql/functions', import.meta.url));
const HASH_DIGITS = 12;
/** This release, the one before it, and one that an operator may have gone back to between them. */
const KEPT_RELEASES = 3;

const source = readdirSync(FOLDER)
  .toSorted()
  .map((file) => readFileSync(`${FOLDER}/${file}`, 'utf8'))
  .join('\n');

/**
 * The schema of this release's functions of the ledger, named by the hash of their text. Replacing functions in place
 * would change processes of another release that use them.
 */
export const LEDGER_FUNCTIONS = `ledger_${createHash('sha256').update(source).digest('hex').slice(0, HASH_DIGITS)}`;

/**
 * Installs the functions of this release if they are absent, and drops those of old releases. Processes that do so at the
 * same time wait for each other. If this release was the last one to start, nothing is written.
 */
export async function installLedgerFunctions(client: pg.ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('ledger.functions', 0))");
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [LEDGER_FUNCTIONS]);
    if (rowCount === 0) await createFunctions(client);
    await recordRelease(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function createFunctions(client: pg.ClientBase): Promise<void> {
  // Functions call each other, in any order of their files.
  await client.query('SET LOCAL check_function_bodies = off');
  await client.query(`CREATE SCHEMA ${LEDGER_FUNCTIONS}`);
  // psql would replace the same variable.
  await client.query(source.replaceAll(/:release\b/g, LEDGER_FUNCTIONS));
  await client.query(`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${LEDGER_FUNCTIONS} FROM PUBLIC`);
}

/** The order is that of the last starts, because an operator may go back to an earlier release. */
async function recordRelease(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT functions_schema AS name FROM ledger.release ORDER BY number DESC',
  );
  const names = rows.map(({ name }) => name);
  if (names[0] === LEDGER_FUNCTIONS) return;
  const dropped = names.filter((name) => name !== LEDGER_FUNCTIONS).slice(KEPT_RELEASES - 1);
  for (const name of dropped) await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(name)} CASCADE`);
  await client.query('DELETE FROM ledger.release WHERE functions_schema = ANY ($1)', [[...dropped, LEDGER_FUNCTIONS]]);
  await client.query('INSERT INTO ledger.release (functions_schema) VALUES ($1)', [LEDGER_FUNCTIONS]);
}
