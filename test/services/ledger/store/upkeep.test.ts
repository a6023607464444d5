import test from 'ava';
import { Type } from 'typebox';
import { createLedgerUpkeep, LedgerUpkeepConfig } from '../../../../services/ledger/store/upkeep.ts';
import { readEnvironment } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { startRecurringCopy } from '../../../kit/recurring-copy.ts';
import { until } from '../../../kit/until.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const NOON_MS = Date.UTC(2030, 0, 5, 12);

test('the jobs make and drop partitions, keep the sums of old months, and sweep, in two copies', async (t) => {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  const ledger = openTrialLedger(t, database);
  await ledger.setClock(NOON_MS);
  const [posted, open] = [newTrial({ nowMs: NOON_MS }), newTrial({ nowMs: NOON_MS })];
  await Promise.all([posted, open].map(ledger.reserve));
  await ledger.post(newAnswer(posted));
  const laterMs = Date.UTC(2030, 4, 1);
  await ledger.query('UPDATE ledger.test_clock SET at = $1', [new Date(laterMs)]);

  const logger = createLogger({ name: 'test', level: 'silent' });
  const { LEDGER_ENTRY_MONTHS: monthsKept } = readEnvironment(Type.Object(LedgerUpkeepConfig), {});
  t.is(monthsKept, 3);
  const options = {
    pool: ledger.pool,
    monthsKept,
    ledger,
    logger,
    sweepEveryMs: 10,
    answerDays: 30,
    clockMs: () => laterMs,
  };
  // A job is repeated sooner than in production, because the sweep makes work for another one.
  const jobs = createLedgerUpkeep(options).map((job) => ({ ...job, everyMs: 10 }));
  const copies = [1, 2].map(() => startRecurringCopy(database.url, { group: 'upkeep', jobs, logger }));
  const left = `SELECT FROM pg_inherits WHERE inhrelid::regclass::text IN ('ledger.entry_203001', 'ledger.nonce_20300105')
    UNION ALL SELECT FROM ledger.entry UNION ALL SELECT FROM ledger.reservation UNION ALL SELECT FROM ledger.nonce
    UNION ALL SELECT FROM ledger.trial_day`;
  const made =
    "SELECT FROM pg_inherits WHERE inhrelid::regclass::text IN ('ledger.nonce_20300503', 'ledger.entry_203006')";
  await until(async () => (await ledger.query(left)).length === 0 && (await ledger.query(made)).length === 2);
  await Promise.all(copies.map((copy) => copy.close()));
  t.deepEqual(await Promise.all([posted, open].map(({ wallet }) => ledger.balance(wallet))), [36_000n, 50_000n]);
  t.deepEqual(await ledger.audit(), { wallets: 2, channels: 0, pending: 0, violations: [] });
});

test('an audit that finds a difference logs it', async (t) => {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  const ledger = openTrialLedger(t, database);
  ledger.notAudited();
  const trial = newTrial();
  await ledger.reserve(trial);
  await ledger.query('UPDATE ledger.wallet SET balance = balance - 1');
  const { logger, text } = keepLog();
  const jobs = createLedgerUpkeep({
    pool: ledger.pool,
    monthsKept: 3,
    ledger,
    logger,
    sweepEveryMs: 10,
    answerDays: 30,
    clockMs: Date.now,
  });
  await jobs.find(({ name }) => name === 'audit-ledger')?.run(new AbortController().signal);
  t.regex(text(), new RegExp(`"grants_add_up","subject":"${trial.wallet}".*the ledger breaks an invariant`));
});

test('a sweep goes on while batches are full and void something', async (t) => {
  for (const [sweeps, count] of [
    [[{ voided: 499, busy: 0 }], 1],
    [
      [
        { voided: 500, busy: 0 },
        { voided: 0, busy: 0 },
      ],
      2,
    ],
    [
      [
        { voided: 1, busy: 499 },
        { voided: 0, busy: 500 },
      ],
      2,
    ],
  ] as const) {
    let done = 0;
    const ledger = { sweep: async () => sweeps[done++] ?? t.fail() } as never;
    const logger = createLogger({ name: 'test', level: 'silent' });
    const settings = { monthsKept: 3, sweepEveryMs: 10, answerDays: 30, clockMs: Date.now };
    const jobs = createLedgerUpkeep({ ...settings, pool: undefined as never, ledger, logger });
    await jobs.find(({ name }) => name === 'sweep-trials')?.run(new AbortController().signal);
    t.is(done, count);
  }
});
