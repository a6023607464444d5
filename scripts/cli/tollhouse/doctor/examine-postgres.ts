import { sql } from 'kysely';
import { type Database, findMigrations, findRequirements } from '../../../../services/store/database.ts';
import { isLogOpen, readLogEpoch } from '../../../../services/store/log-epoch.ts';
import { findBrokenAct } from '../../../../services/store/operator-acts.ts';
import { SERVICE_ROLE, SET_PRIVILEGE } from '../../../../services/store/preparation.ts';
import { onlyRow } from '../../../../services/store/rows.ts';
import { examineClock } from './examine-clocks.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const OVERDUE_MINUTES = 15;
const DURABLE: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
};

export async function examinePostgres(database: Database): Promise<readonly Finding[]> {
  return [
    ...(await examinePreparation(database)),
    ...(await examineMembers(database)),
    ...(await examineDurability(database)),
    await examineClock(() => readTimeMs(database)),
    ...(await examineTables(database)),
  ];
}

/** What a process needs to start. This can be examined before the first migration. */
async function examinePreparation(database: Database): Promise<readonly Finding[]> {
  const requirements = await findRequirements(database);
  return requirements.map(({ check, found, action }) =>
    action === undefined ? ok(check, found) : failure(check, found, action),
  );
}

async function examineDurability(database: Database): Promise<readonly Finding[]> {
  const { rows } = await sql<{ name: string; setting: string }>`
    SELECT name, setting FROM pg_settings WHERE name = ANY(${Object.keys(DURABLE)}) ORDER BY name`.execute(database);
  return rows.map(({ name, setting }) => {
    const check = `postgresql.${name}`;
    if (DURABLE[name]?.includes(setting)) return ok(check, setting);
    return failure(check, setting, `set ${name} to on: a crash could lose confirmed payments and records`);
  });
}

/** A member of the role that connects to this database can read the records of every tenant, as members of the owner can. */
async function examineMembers(database: Database): Promise<readonly Finding[]> {
  const { rows } = await sql<{ members: string | null; database: string }>`
    SELECT string_agg(quote_ident(member.rolname), ', ' ORDER BY member.rolname) AS members,
      quote_ident(current_database()) AS database
    FROM pg_roles AS member, pg_roles AS service
    WHERE service.rolname = ${SERVICE_ROLE} AND member.rolcanlogin AND NOT member.rolsuper
      AND NOT pg_has_role(member.oid, current_user, 'MEMBER') AND pg_has_role(member.oid, service.oid, ${sql.raw(SET_PRIVILEGE)})
      AND has_database_privilege(member.oid, current_database(), 'CONNECT')`.execute(database);
  const { members, database: name } = onlyRow(rows);
  if (members === null) return [];
  const found = `other members of ${SERVICE_ROLE} may connect, and read the records of all tenants: ${members}`;
  return [warning('postgresql.members', found, `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC, and from these users`)];
}

/** Nothing else can be known before every migration is applied. */
async function examineTables(database: Database): Promise<readonly Finding[]> {
  const { missing, unknown } = await findMigrations(database);
  const check = 'postgresql.schema';
  if (unknown.length > 0) {
    const action = 'run this command with the version of Tollhouse that serves, or a later one';
    return [failure(check, `migrations of a later version are applied: ${unknown.join(', ')}`, action)];
  }
  if (missing.length > 0) {
    return [
      failure(
        check,
        `${missing.length} migrations are missing, the first is ${missing[0]}`,
        'start a service: it applies them',
      ),
    ];
  }
  return [
    ok(check, 'every migration is applied'),
    await examineLog(database),
    await examineObligations(database),
    await examineJobs(database),
    await examineAudit(database),
  ];
}

async function examineLog(database: Database): Promise<Finding> {
  const check = 'proofs.log';
  const epoch = await readLogEpoch(database);
  if (isLogOpen(epoch)) return ok(check, `signed in database ${epoch.current}`);
  const action = 'follow docs/operations/backup.md: tollhouse proofs accept';
  return failure(check, `closed: the database was ${epoch.recorded}, and is ${epoch.current}`, action);
}

async function readTimeMs(database: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(database);
  return onlyRow(rows).ms;
}

interface Overdue {
  readonly count: bigint;
  readonly oldest: Date | null;
}

const late = sql`clock_timestamp() - make_interval(mins => ${OVERDUE_MINUTES})`;

async function examineObligations(database: Database): Promise<Finding> {
  const { rows } = await sql<Overdue & { attempts: number | null }>`
    SELECT count(*) AS count, min(due_at) AS oldest, max(tries) AS attempts FROM ledger.payment_claim
    WHERE due_at IS NOT NULL AND (tries > 3 OR due_at < ${late})`.execute(database);
  const { count, attempts } = onlyRow(rows);
  if (count === 0n) return ok('work.obligations', 'no payment waits for its settlement');
  const found = `${count} payments with a result are not settled after up to ${attempts} attempts`;
  return warning(
    'work.obligations',
    found,
    'look at tollhouse obligations list, and at the log of the payments service',
  );
}

async function examineJobs(database: Database): Promise<Finding> {
  const { rows } = await sql<Overdue>`
    SELECT count(*) AS count, min(due_at) AS oldest FROM job
    WHERE ended_at IS NULL AND due_at < ${late}`.execute(database);
  const { count, oldest } = onlyRow(rows);
  if (count === 0n) return ok('work.jobs', 'no job is overdue');
  const found = `${count} jobs are overdue, the oldest since ${oldest?.toISOString()}`;
  return warning(
    'work.jobs',
    found,
    'check that the back office and the verification service run: tollhouse jobs list',
  );
}

async function examineAudit(database: Database): Promise<Finding> {
  const broken = await findBrokenAct(database);
  if (broken === undefined) return ok('audit.trail', 'no act was changed');
  const action = 'find out who changed the table operator_act, and restore it from a backup';
  return failure('audit.trail', `act ${broken} was changed or is missing`, action);
}
