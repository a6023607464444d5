import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const FOLDER = fileURLToPath(new URL('../sql/functions', import.meta.url));
const HASH_DIGITS = 12;

const source = readdirSync(FOLDER)
  .toSorted()
  .map((file) => readFileSync(`${FOLDER}/${file}`, 'utf8'))
  .join('\n');

/**
 * The schema of this release's functions, named by the hash of their text. Replacing functions in place would change
 * processes of another release that use them.
 */
export const FUNCTIONS_SCHEMA = `ledger_${createHash('sha256').update(source).digest('hex').slice(0, HASH_DIGITS)}`;

/** Installs the functions of this release if they are absent. Processes that do so at the same time wait for each other. */
export async function installFunctions(client: pg.ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('ledger.functions', 0))");
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [FUNCTIONS_SCHEMA]);
    if (rowCount === 0) await createFunctions(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function createFunctions(client: pg.ClientBase): Promise<void> {
  // Functions call each other, in any order of their files.
  await client.query('SET LOCAL check_function_bodies = off');
  await client.query(`CREATE SCHEMA ${FUNCTIONS_SCHEMA}`);
  // psql would replace the same variable.
  await client.query(source.replaceAll(/:release\b/g, FUNCTIONS_SCHEMA));
  await client.query(`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${FUNCTIONS_SCHEMA} FROM PUBLIC`);
}
