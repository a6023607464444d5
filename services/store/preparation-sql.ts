import pg from 'pg';
import { ConfigurationError } from '../platform/process/environment.ts';
import { SERVICE_ROLE, SET_PRIVILEGE } from './preparation.ts';

const { escapeIdentifier: id, escapeLiteral: text } = pg;

/**
 * The SQL with which an administrator prepares the database of a URL. It can be run again, and changes only what is missing. The
 * administrator may be a role with CREATEROLE and CREATEDB, as on managed servers.
 * @throws {ConfigurationError} if the URL names no user or no database
 */
export function preparationFor(url: string): string {
  const { user, database } = new pg.Client({ connectionString: url });
  if (!user || !database) throw new ConfigurationError('DATABASE_URL must name the user and the database');
  const [role, owner, name] = [id(SERVICE_ROLE), id(user), id(database)];
  const mayNotSet = (wanted: string) => `NOT pg_has_role(${text(wanted)}, ${SET_PRIVILEGE})`;
  return `-- Prepares PostgreSQL 15 or later for Tollhouse. Run it with psql as an administrator: a superuser, or a role with
-- CREATEROLE and CREATEDB. It can be run again, and changes only what is missing.
\\set ON_ERROR_STOP on

-- The role of the verification service, which row-level security binds. All databases of this server share it.
${unlessRole(SERVICE_ROLE, `CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS`)}

-- The owner of the database, which is the user of DATABASE_URL. Set its password with \\password.
${unlessRole(user, `CREATE ROLE ${owner} LOGIN`)}
${when(`NOT pg_has_role(${text(user)}, ${text(SERVICE_ROLE)}, ${SET_PRIVILEGE})`, `GRANT ${role} TO ${owner}`)}

-- Only a superuser may create a database for a role that it may not set.
${when(mayNotSet(user), `GRANT ${owner} TO CURRENT_USER`)}
${when(
  `NOT EXISTS (SELECT FROM pg_database WHERE datname = ${text(database)})`,
  `CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`,
)}

-- Owners of other databases of Tollhouse on this server have the same role, so they must not connect to this one.
GRANT CONNECT ON DATABASE ${name} TO ${owner};
REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC;`;
}

const unlessRole = (name: string, statement: string): string =>
  when(`NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${text(name)})`, statement);

/** `CREATE DATABASE` cannot be in a function, so psql runs the result of a query. */
const when = (condition: string, statement: string): string => `SELECT ${text(statement)} WHERE ${condition} \\gexec`;
