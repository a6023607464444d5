import pg from 'pg';
import { ConfigurationError, StartError } from '../platform/process/environment.ts';
import { COMMAND_LINES } from '../platform/process/installation.ts';

/** PostgreSQL does not answer. It may only be starting. */
export class DatabaseUnreachableError extends StartError {
  override readonly name = 'DatabaseUnreachableError';
}

const PREPARE = `${COMMAND_LINES.tollhouse} database prepare prints the SQL with which an administrator makes it`;

/** SQLSTATEs of refused connections that another attempt does not change, and what to do. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['28P01', 'correct the user and the password, in which URLs need %40 for @, %2F for /, %3A for : and %25 for %'],
  ['28000', `correct the user, or its line in pg_hba.conf; if the user is missing, ${PREPARE}`],
  ['3D000', `correct the name; if the database is missing, ${PREPARE}`],
  ['42501', 'as an administrator, GRANT CONNECT on the database to the user'],
]);

/** SQLSTATE too_many_connections. */
const TOO_MANY = '53300';

/** Errors of the driver, which have no SQLSTATE. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/client password must be a (?:non-empty )?string/, 'add the password of the user'],
  [/does not support SSL connections/, 'remove sslmode, or set ssl = on in postgresql.conf'],
  [/certificate/, 'name the authority of the certificate with sslrootcert=FILE'],
];

/** What to tell the operator about an error of `client.connect()`. Secrets are left out. */
export function explainConnectFailure(error: Error, { user, database, host, port }: pg.Client): StartError {
  const code = 'code' in error ? String(error.code) : '';
  const action = REFUSALS.get(code) ?? FAULTS.find(([pattern]) => pattern.test(error.message))?.[1];
  const what = `DATABASE_URL (${user === undefined ? 'no user' : `user ${user}`}, database ${database}, server ${host}:${port}): ${error.message || code}`;
  if (action !== undefined) return new ConfigurationError(`${what}: ${action}`, { cause: error });
  return new DatabaseUnreachableError(`${what}: ${hintFor(error, code)}`, { cause: error });
}

/** What to do if another attempt may help. */
function hintFor(error: Error, code: string): string {
  if (code === TOO_MANY) return 'lower DATABASE_CONNECTIONS and VERIFICATION_CONNECTIONS, or raise max_connections';
  // A server that answers is there. It may be starting or stopping.
  return error instanceof pg.DatabaseError ? 'see the log of PostgreSQL' : 'start PostgreSQL, or correct the address';
}
