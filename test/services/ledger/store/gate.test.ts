import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { createGate } from '../../../../services/ledger/store/gate.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { until } from '../../../kit/until.ts';
import { fillDisk } from './full-disk.ts';
import { createLedgerDatabase } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const FULL = 'the disk of the database is full';
const logger = createLogger({ name: 'test', level: 'silent' });
const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A gate that looks when the test says so, or by itself. */
async function openGate(t: ExecutionContext, checkEveryMs = DAY_MS) {
  const pool = openLedgerPool({ url: database.url, connections: 2, statementTimeoutMs: 5000, onError: () => {} });
  const gate = createGate({ pool, logger, checkEveryMs });
  t.teardown(async () => {
    gate.close();
    await pool.end();
  });
  await until(() => gate.closedBecause() === undefined);
  const fail = () =>
    t.throwsAsync(
      gate.guard(
        Promise.reject(
          new LedgerUnavailableError('refused', 'full', {
            cause: Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' }),
          }),
        ),
      ),
    );
  return { pool, gate, fail };
}

test.serial('a write that finds the disk full closes the gate until the next regular look', async (t) => {
  const { pool, gate, fail } = await openGate(t);
  let looks = 0;
  pool.on('acquire', () => {
    looks += 1;
  });
  await fail();
  await fail();
  await pool.query('SELECT 1');
  t.is(looks, 1, 'only this statement');
  t.throws(() => gate.admit(), { message: FULL });
  await gate.check();
  t.notThrows(() => gate.admit());
});

test.serial('a gate that was closed looks by itself, until it is no longer needed', async (t) => {
  const { pool, gate, fail } = await openGate(t, 10);
  await fail();
  await until(() => gate.closedBecause() === undefined);
  gate.close();
  await gate.check();
  let looks = 0;
  pool.on('acquire', () => {
    looks += 1;
  });
  await delay(200);
  t.is(looks, 0);
});

test.serial('all who ask for the status share a look, until it is old', async (t) => {
  const { pool, gate } = await openGate(t, 300);
  gate.close();
  let looks = 0;
  pool.on('acquire', () => {
    looks += 1;
  });
  await gate.check();
  looks = 0;
  const askTen = () => Promise.all(Array.from({ length: 10 }, () => gate.status()));
  for (const { nowMs, closedBecause } of await askTen()) {
    t.true(Math.abs(nowMs - Date.now()) < 60_000);
    t.is(closedBecause, undefined);
  }
  t.is(looks, 0);
  await until(async () => {
    await askTen();
    return looks > 0;
  });
  t.is(looks, 1);
});

test.serial('the gate says that the disk is full for as long as it is', async (t) => {
  const { gate, fail } = await openGate(t);
  const findSpace = await fillDisk(database.url);
  await fail();
  await gate.check();
  await gate.check();
  t.is(gate.closedBecause(), FULL);
  await findSpace();
  await gate.check();
  t.is(gate.closedBecause(), undefined);
});

test.serial('while a dump of the database runs, a gate that a full disk closed opens again', async (t) => {
  const { pool, gate, fail } = await openGate(t);
  const { rows } = await pool.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'ledger'::regnamespace AND relkind IN ('r', 'p')",
  );
  await connected(database.url, async (dump) => {
    await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const { name } of rows) await dump.query(`LOCK TABLE ${name} IN ACCESS SHARE MODE`);
    await fail();
    await gate.check();
    t.is(gate.closedBecause(), undefined);
    await dump.query('ROLLBACK');
  });
});

test.serial('the gate opens only where there is room for many answers, and leaves nothing behind', async (t) => {
  const { pool } = await openGate(t);
  const probe = `SELECT FROM ${LEDGER_FUNCTIONS}.probe_disk()`;
  await connected(adminUrlOf(database.url), async (admin) => {
    await admin.query(`CREATE FUNCTION tell_size() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION '%', pg_relation_size('pg_temp.disk_probe'); END $$`);
    await admin.query(
      "CREATE EVENT TRIGGER tell_size ON ddl_command_start WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION tell_size()",
    );
    const { message } = await t.throwsAsync(pool.query(probe));
    await admin.query('DROP EVENT TRIGGER tell_size');
    t.true(Number(message) >= 16_000_000, message);
  });
  await pool.query(probe);
  t.deepEqual((await pool.query("SELECT FROM pg_class WHERE relname = 'disk_probe'")).rows, []);
});
