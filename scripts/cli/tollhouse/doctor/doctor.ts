import { RetentionDaysConfig } from '../../../../services/backoffice/contract/retention-setting.ts';
import { ConfigurationError, readEnvironment } from '../../../../services/platform/process/environment.ts';
import { readSecretFiles } from '../../../../services/platform/process/secret-files.ts';
import { type Database, findMigrations } from '../../../../services/store/database.ts';
import { dataFolderOf, originOf, readSettings } from '../../../launch/settings.ts';
import { type Command, CommandError, type Terminal } from '../../terminal/command.ts';
import { givenOrigin } from '../../terminal/origin.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { withRedis } from '../stores/operator-redis.ts';
import { examineGateway } from './examine-gateway.ts';
import { examineLedger } from './examine-ledger.ts';
import { examineAdmin, examineDisk, examineNode } from './examine-machine.ts';
import { examinePayments } from './examine-payments.ts';
import { examinePostgres } from './examine-postgres.ts';
import { examineRedis } from './examine-redis.ts';
import { examineKeys, examineRetention } from './examine-retention.ts';
import { examineSettings } from './examine-settings.ts';
import { examine, type Finding } from './finding.ts';

/**
 * `doctor`. Looks at configuration, servers, clocks, durability, versions, disk, the ledger, gas and overdue work, and
 * says what to do.
 * @throws {CommandError} if something has failed
 */
export const doctor: Command = async (terminal, { url, json }) => {
  const findings = await look(terminal, givenOrigin(url, terminal.environment));
  if (json) terminal.say(JSON.stringify(findings));
  else for (const finding of findings) terminal.say(describe(finding));
  const failed = findings.filter(({ level }) => level === 'failure').length;
  if (failed > 0) throw new CommandError(`${failed} of ${findings.length} checks failed`);
};

async function look(given: Terminal, url: string | undefined): Promise<readonly Finding[]> {
  const settings = await examine('configuration', 'look at the error', () => examineSettings(given.environment));
  const environment = { ...given.environment };
  try {
    readSecretFiles(environment);
  } catch (error) {
    // Without these secrets nothing else can be looked at, and the programs have named their files.
    if (error instanceof ConfigurationError) return settings;
    throw error;
  }
  const terminal = { ...given, environment };
  const inDatabase = <Result>(work: (database: Database) => Promise<Result>) =>
    withDatabase(terminal, work, { migrates: false });
  /** Before every migration is applied, there is nothing to look at: the check of PostgreSQL says so. */
  const inTables = (work: (database: Database) => Promise<readonly Finding[]>) =>
    inDatabase(async (database) => ((await findMigrations(database)).missing.length > 0 ? [] : work(database)));
  return [
    ...settings,
    examineNode(process.version),
    ...examineAdmin(environment['ADMIN_LISTEN']),
    ...(await examine('disk.free', 'create the data folder, or correct TOLLHOUSE_DATA', async () => [
      await examineDisk(dataFolderOf(environment)),
    ])),
    ...(await examine('postgresql', 'start PostgreSQL, or correct DATABASE_URL', () => inDatabase(examinePostgres))),
    ...(await examine('redis', 'start Redis, or correct REDIS_URL', () => withRedis(terminal, examineRedis))),
    ...(await examine('ledger', 'start PostgreSQL, or correct DATABASE_URL', () => inTables(examineLedger))),
    ...(await examine('retention', 'see tollhouse retention status', async () => {
      const { RETENTION_DAYS: days } = readEnvironment(RetentionDaysConfig, environment);
      return inTables(async (database) => [
        await examineRetention(database, days),
        ...(await examineKeys(database, environment)),
      ]);
    })),
    ...(await examine('payments.node', 'correct the configuration', () => examinePayments(terminal))),
    ...(await examine('gateway.ready', 'correct PORT', () =>
      examineGateway(url ?? originOf(readSettings(environment))),
    )),
  ];
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' } as const;

function describe({ check, level, found, action }: Finding): string {
  const line = `${MARKS[level]}  ${check.padEnd(28)} ${found}`;
  return action === undefined ? line : `${line}\n         ${''.padEnd(28)} → ${action}`;
}
