import { escapeIdentifier } from 'pg';
import { ConfigurationError } from '../platform/process/environment.ts';
import { COMMAND_LINES } from '../platform/process/installation.ts';
import { onlyRow } from './rows.ts';

/** Runs a statement without parameters. @returns its rows */
export type Query = <Row extends object>(statement: string) => Promise<readonly Row[]>;

/** The role of the verification service's connections. It is no owner, so row-level security binds it. */
export const SERVICE_ROLE = 'tollhouse_verification';

/**
 * The privilege that `SET ROLE` needs, for `pg_has_role`. From PostgreSQL 16 on, a role may be a member without it, such as the
 * administrator who created the role.
 */
export const SET_PRIVILEGE =
  "CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END";

const OLDEST_VERSION = 150_000;
const PREPARE = `${COMMAND_LINES.tollhouse} database prepare`;

/** Something that the database must have before a process can start. */
export interface Requirement {
  readonly check: string;
  readonly found: string;
  /** What to do. Absent if the requirement is met. */
  readonly action?: string;
}

interface Facts {
  readonly user: string;
  readonly database: string;
  readonly version: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly createsSchemas: boolean;
  /** Null if the user sees no schema. */
  readonly schema: string | null;
  readonly createsTables: boolean | null;
  /** Another role that owns the tables and whose rights this user lacks; null if the user has the rights. */
  readonly otherOwner: string | null;
  readonly createsRoles: boolean;
  /** This fact and the next two are null if the service's role is missing. */
  readonly isExempt: boolean | null;
  readonly setsRole: boolean | null;
  /** Whether the role may use the schema, or a migration may grant that. */
  readonly seesSchema: boolean | null;
}

const FACTS = `SELECT current_user AS "user", current_database() AS database,
  current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
  current_setting('server_encoding') AS encoding,
  has_database_privilege(current_database(), 'CREATE') AS "createsSchemas",
  current_schema() AS schema, has_schema_privilege(current_schema(), 'CREATE') AS "createsTables",
  (SELECT pg_get_userbyid(relowner) FROM pg_class
    WHERE oid = to_regclass('schema_migration') AND NOT pg_has_role(relowner, 'USAGE')) AS "otherOwner",
  (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS "createsRoles",
  service.rolsuper OR service.rolbypassrls AS "isExempt",
  pg_has_role(service.oid, ${SET_PRIVILEGE}) AS "setsRole",
  has_schema_privilege(service.oid, current_schema(), 'USAGE') OR (SELECT pg_has_role(nspowner, 'USAGE')
    FROM pg_namespace WHERE nspname = current_schema()) AS "seesSchema"
  FROM (SELECT) AS one LEFT JOIN pg_roles AS service ON service.rolname = '${SERVICE_ROLE}'`;

/** Looks at what the database must have. It needs no rights, and works before the first migration. */
export async function examineRequirements(query: Query): Promise<readonly Requirement[]> {
  const facts = onlyRow(await query<Facts>(FACTS));
  return [examineVersion(facts), examineEncoding(facts), examineOwner(facts), examineRole(facts)];
}

/** @throws {ConfigurationError} that says what an administrator must do first */
export async function assertPrepared(query: Query): Promise<void> {
  const faults = (await examineRequirements(query)).flatMap(({ found, action }) =>
    action === undefined ? [] : [`${found}: ${action}`],
  );
  if (faults.length > 0)
    throw new ConfigurationError(`the database of DATABASE_URL is not prepared: ${faults.join('; ')}`);
}

function examineVersion({ version, versionNumber }: Facts): Requirement {
  const requirement = { check: 'postgresql.version', found: `PostgreSQL ${version}` };
  if (versionNumber >= OLDEST_VERSION) return requirement;
  return { ...requirement, action: 'upgrade PostgreSQL to 15 or later' };
}

function examineEncoding({ encoding }: Facts): Requirement {
  const requirement = { check: 'postgresql.encoding', found: `the encoding is ${encoding}` };
  if (encoding === 'UTF8') return requirement;
  return { ...requirement, action: `drop the database and create it with the encoding UTF8, as ${PREPARE} prints` };
}

/** Tables must be where the role of the service finds them, too, so not in a schema that is named after the user. */
function examineOwner(facts: Facts): Requirement {
  const { user, database, createsSchemas, schema, createsTables, otherOwner } = facts;
  const check = 'postgresql.owner';
  const [owner, name] = [user, database].map(escapeIdentifier);
  if (!createsSchemas) {
    const found = `the user ${owner} may not create a schema in the database ${name}`;
    return { check, found, action: `as an administrator, ALTER DATABASE ${name} OWNER TO ${owner}` };
  }
  if (schema === null || (schema === 'public' && createsTables !== true)) {
    const found = `the user ${owner} may not create tables in the schema public of the database ${name}`;
    const action = `as an administrator, connect to ${name} and GRANT USAGE, CREATE ON SCHEMA public TO ${owner}`;
    return { check, found, action };
  }
  if (schema !== 'public') {
    const found = `tables of the user ${owner} are created in the schema ${escapeIdentifier(schema)}, and not in public`;
    return { check, found, action: `ALTER ROLE ${owner} IN DATABASE ${name} SET search_path = public` };
  }
  if (otherOwner !== null) {
    const found = `the tables in the database ${name} belong to ${escapeIdentifier(otherOwner)}, and not to ${owner}`;
    return { check, found, action: 'correct the user in DATABASE_URL, or restore the database as this user' };
  }
  return { check, found: `${owner} may create schemas and tables in ${name}` };
}

function examineRole({ user, createsRoles, isExempt, setsRole, seesSchema }: Facts): Requirement {
  const check = 'postgresql.role';
  const prepare = `give the output of ${PREPARE} to an administrator of PostgreSQL`;
  if (isExempt === null) {
    if (createsRoles) return { check, found: `a migration will create the role ${SERVICE_ROLE}` };
    const found = `the role ${SERVICE_ROLE} is missing, and the user ${escapeIdentifier(user)} may not create it`;
    return { check, found, action: prepare };
  }
  if (isExempt) {
    const found = `the role ${SERVICE_ROLE} is exempt from row-level security, which separates tenants`;
    return { check, found, action: `as an administrator, ALTER ROLE ${SERVICE_ROLE} NOSUPERUSER NOBYPASSRLS` };
  }
  if (setsRole !== true) {
    return { check, found: `the user ${escapeIdentifier(user)} may not set the role ${SERVICE_ROLE}`, action: prepare };
  }
  if (seesSchema === false) {
    const found = `the role ${SERVICE_ROLE} may not use the schema public`;
    return { check, found, action: `as an administrator, GRANT USAGE ON SCHEMA public TO ${SERVICE_ROLE}` };
  }
  return { check, found: `${SERVICE_ROLE} may be set, and row-level security binds it` };
}
