import type pg from 'pg';
import { FUNCTIONS_SCHEMA } from './install-functions.ts';
import { runStatement } from './ledger-pool.ts';

/**
 * Makes the partitions of the days around now, where they are missing. Run it at least daily.
 * @throws {LedgerUnavailableError} `refused` if a long query reads a table; the next run is early enough
 */
export async function makePartitions(pool: pg.Pool): Promise<void> {
  await runStatement(pool, `SELECT ${FUNCTIONS_SCHEMA}.make_nonce_partitions()`, []);
  await runStatement(pool, `SELECT ${FUNCTIONS_SCHEMA}.make_entry_partitions()`, []);
}

/**
 * Drops the nonces of proofs that expired before yesterday. Run it daily.
 * @throws {LedgerUnavailableError} as `makePartitions` does
 */
export async function dropNonces(pool: pg.Pool): Promise<void> {
  await runStatement(pool, `SELECT ${FUNCTIONS_SCHEMA}.drop_nonce_partitions()`, []);
}
