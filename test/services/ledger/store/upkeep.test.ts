import test from 'ava';
import { Type } from 'typebox';
import { createLedgerUpkeep, LedgerUpkeepConfig } from '../../../../services/ledger/store/upkeep.ts';
import { readEnvironment } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { startRecurringCopy } from '../../../kit/recurring-copy.ts';
import { until } from '../../../kit/until.ts';
import { spend } from './ledger-steps.ts';
import { newTrial, type OpenLedger, openOwnLedger } from './store-fixture.ts';

const NOON_MS = Date.UTC(2030, 0, 5, 12);
const silent = createLogger({ name: 'test', level: 'silent' });

const jobsOf = (
  ledger: Pick<OpenLedger, 'pool' | 'audit' | 'sweep'>,
  { logger = silent, monthsKept = 3, clockMs = Date.now }: Partial<Parameters<typeof createLedgerUpkeep>[0]> = {},
) => createLedgerUpkeep({ pool: ledger.pool, ledger, logger, monthsKept, clockMs, sweepEveryMs: 10, answerDays: 30 });

const run = (jobs: ReturnType<typeof jobsOf>, wanted: string) =>
  jobs.find(({ name }) => name === wanted)?.run(new AbortController().signal);

test('the jobs make and drop partitions, keep the sums of old months, and sweep, in two copies', async (t) => {
  const { ledger, database } = await openOwnLedger(t);
  await ledger.setClock(NOON_MS);
  const [posted, open] = [newTrial({ nowMs: NOON_MS }), newTrial({ nowMs: NOON_MS })];
  await ledger.reserve(open);
  await spend(ledger, posted);
  const laterMs = Date.UTC(2030, 4, 1);
  await ledger.query('UPDATE ledger.test_clock SET at = $1', [new Date(laterMs)]);

  const { LEDGER_ENTRY_MONTHS: monthsKept } = readEnvironment(Type.Object(LedgerUpkeepConfig), {});
  t.is(monthsKept, 3);
  // A job is repeated sooner than in production, because the sweep makes work for another one.
  const jobs = jobsOf(ledger, { monthsKept, clockMs: () => laterMs }).map((job) => ({ ...job, everyMs: 10 }));
  const copies = [1, 2].map(() => startRecurringCopy(database.url, { group: 'upkeep', jobs, logger: silent }));
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
  const { ledger } = await openOwnLedger(t);
  ledger.notAudited();
  const trial = newTrial();
  await ledger.reserve(trial);
  await ledger.query('UPDATE ledger.wallet SET balance = balance - 1');
  const { logger, text } = keepLog();
  await run(jobsOf(ledger, { logger }), 'audit-ledger');
  t.regex(text(), new RegExp(`"grants_add_up","subject":"${trial.wallet}".*the ledger breaks an invariant`));
});

for (const [what, sweeps, count] of [
  ['not full', [[499, 0]], 1],
  [
    'full, and the next one is empty',
    [
      [500, 0],
      [0, 0],
    ],
    2,
  ],
  [
    'full of others that are busy, and the next one voids nothing',
    [
      [1, 499],
      [0, 500],
    ],
    2,
  ],
] as const) {
  test(`a sweep ends after ${count}, if a batch is ${what}`, async (t) => {
    const asked: unknown[] = [];
    const sweep = async (options: unknown) => {
      const [voided, busy] = sweeps[asked.length] ?? t.fail();
      asked.push(options);
      return { voided, busy };
    };
    await run(jobsOf({ sweep } as never), 'sweep-trials');
    t.deepEqual(asked, Array(count).fill({ graceMs: 5000, limit: 500 }));
  });
}
