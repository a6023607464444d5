import { sql } from 'kysely';
import { type Database, findMigrations } from '../../../../services/store/database.ts';
import { readDatabaseIdentity } from '../../../../services/store/database-identity.ts';
import { findBrokenAct } from '../../../../services/store/operator-acts.ts';
import { onlyRow } from '../../../../services/store/rows.ts';
import { examineClock } from './examine-clocks.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const OLDEST_VERSION = 150_000;
const OVERDUE_MINUTES = 15;
const DURABLE: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
};

export async function examinePostgres(database: Database): Promise<readonly Finding[]> {
  return [
    await examineVersion(database),
    ...(await examineDurability(database)),
    await examineSchema(database),
    await examineIdentity(database),
    await examineClock('postgresql', () => readTimeMs(database)),
    await examineObligations(database),
    await examineJobs(database),
    await examineAudit(database),
  ];
}

async function examineVersion(database: Database): Promise<Finding> {
  const { rows } = await sql<{ number: number; text: string }>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text`.execute(
    database,
  );
  const { number, text } = onlyRow(rows);
  if (number >= OLDEST_VERSION) return ok('postgresql.version', text);
  return failure('postgresql.version', text, 'upgrade PostgreSQL to 15 or later');
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

async function examineSchema(database: Database): Promise<Finding> {
  const { missing, unknown } = await findMigrations(database);
  const check = 'postgresql.schema';
  if (unknown.length > 0) {
    const action = 'run this command with the version of Tollhouse that serves, or a later one';
    return failure(check, `migrations of a later version are applied: ${unknown.join(', ')}`, action);
  }
  if (missing.length > 0) {
    return failure(check, `migrations are missing: ${missing.join(', ')}`, 'start a service: it applies them');
  }
  return ok(check, 'every migration is applied');
}

async function examineIdentity(database: Database): Promise<Finding> {
  const check = 'postgresql.identity';
  const { missing } = await findMigrations(database);
  // Without its table there is nothing to compare, and the check of the schema has failed.
  if (missing.length > 0) return warning(check, 'not known before every migration is applied', 'start a service');
  const { recorded, current } = await readDatabaseIdentity(database);
  if (recorded === current) return ok(check, current);
  const action = 'follow docs/operations/backup.md: tollhouse database accept';
  return failure(check, `restored or moved: it was ${recorded}, it is ${current}`, action);
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
    SELECT count(*) AS count, min(due_at) AS oldest, max(attempts) AS attempts FROM obligation
    WHERE attempts > 3 OR due_at < ${late}`.execute(database);
  const { count, attempts } = onlyRow(rows);
  if (count === 0n) return ok('work.obligations', 'no payment waits for its settlement');
  const found = `${count} payments with a result are not settled after up to ${attempts} attempts`;
  return warning('work.obligations', found, 'look at tollhouse obligations list, and at the log of the back office');
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
