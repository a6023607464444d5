import test from 'ava';
import { sql } from 'kysely';
import { checkRetention, createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { startReadiness } from '../../../../services/platform/process/readiness.ts';
import { checkDatabase, openDatabase } from '../../../../services/store/database.ts';
import { childrenOf } from '../../../kit/children-of.ts';
import { startTestPostgres } from '../../../kit/servers.ts';
import { until } from '../../../kit/until.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const postgres = await startTestPostgres();
const database = openDatabase({ url: postgres.url, connections: 2, logger });
test.after.always(async () => {
  await database.destroy();
  await postgres.stop();
});

test.serial(
  'a service is not ready while PostgreSQL hangs, runs one check at a time, and is ready again afterwards',
  async (t) => {
    let isReady: boolean | undefined;
    let checks = 0;
    let underWay = 0;
    const check = async () => {
      checks += 1;
      underWay += 1;
      t.is(underWay, 1);
      await checkDatabase(database).finally(() => {
        underWay -= 1;
      });
    };
    const setReady = (ready: boolean) => {
      isReady = ready;
    };
    const stop = await startReadiness({ check, setReady, logger, checkEveryMs: 10, answerWithinMs: 200 });
    t.teardown(stop);
    t.true(isReady);
    process.kill(postgres.pid, 'SIGSTOP');
    const pids = [postgres.pid, ...childrenOf(postgres.pid)];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      await until(() => isReady === false);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await until(() => isReady === true);
    const before = checks;
    await until(() => checks > before + 1);
  },
);

test.serial('a database that refuses writes, or has no table for the day, is not ready', async (t) => {
  const nowMs = Date.now();
  await t.throwsAsync(checkRetention(database, nowMs), { message: /^the table retained_body_\d{8} does not exist$/ });
  await createPartitions(database, nowMs);
  await t.notThrowsAsync(checkRetention(database, nowMs));
  await sql`ALTER DATABASE tollhouse SET default_transaction_read_only = on`.execute(database);
  const standby = openDatabase({ url: postgres.url, connections: 1, logger });
  t.teardown(() => standby.destroy());
  await t.throwsAsync(checkDatabase(standby), { message: 'the database does not take writes' });
});

test('a wrong setting fails the start', async (t) => {
  const check = () => Promise.reject(new ConfigurationError('X: found nothing'));
  await t.throwsAsync(startReadiness({ check, setReady: () => {}, logger }), { instanceOf: ConfigurationError });
});
