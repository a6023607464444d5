import test from 'ava';
import { type Report, replay, simulate } from '../../../../scripts/lab/simulate/run-worlds.ts';
import { PAYMENT_STEPS } from '../../../../scripts/lab/simulate/worlds/payment-world.ts';
import { TRIAL_STEPS } from '../../../../scripts/lab/simulate/worlds/trial-world.ts';
import { startTestRedis, type TestServer } from '../../../helpers/servers.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const SEEDS = 10_000;
/** Seeds of one test. A busy machine needs a minute for them. */
const PART = 1000;
const TIMEOUT_MS = 600_000;
/** Within so many seeds, every planted fault is found. */
const SEEDS_FOR_A_PLANT = 1280;

let redis: TestServer;
test.before(async () => {
  redis = await startTestRedis();
});
test.after.always(() => redis?.stop());

const counts = new Map<string, number>();

function describeFailure({ failure }: Report): string {
  if (failure === undefined) return '';
  const { seed, problem } = failure;
  return `seed ${seed}: ${problem}\nTo see what happened: npm run simulate -- --seed ${seed} --trace`;
}

for (let from = 1; from <= SEEDS; from += PART) {
  test.serial(
    `trials and payments keep every promise under the faults of seeds ${from} to ${from + PART - 1}`,
    async (t) => {
      t.timeout(TIMEOUT_MS);
      const report = await simulate({ redisUrl: redis.url, from, seeds: PART });
      for (const [what, count] of report.counts) counts.set(what, (counts.get(what) ?? 0) + count);
      t.true(report.failure === undefined, describeFailure(report));
      t.is(report.worlds, PART);
    },
  );
}

test.serial('processes ended and stopped at every named step of trials and payments', (t) => {
  for (const step of new Set([...TRIAL_STEPS, ...PAYMENT_STEPS])) {
    t.true(counts.has(`crash at: ${step}`), `no process ended at ${step}`);
    t.true(counts.has(`stall at: ${step}`), `no process stopped at ${step}`);
  }
});

test.serial('every kind of fault and of outcome came', (t) => {
  const expected = [
    'fault: lost request',
    'fault: lost reply',
    'fault: late message',
    'fault: doubled message',
    'fault: crash at a message',
    'fault: broken connection to Redis',
    'fault: failed statement',
    'fault: lost call of the node',
    'fault: reorganization',
    'fault: high fees',
    'fault: forgotten transaction',
    'trial: 200 charged',
    'trial: 200 accounting_uncertain',
    'trial: 402 insufficient_balance',
    'trial: 402 daily_budget_exhausted',
    'trial: REPLAYED_PROOF rejected',
    'trial: TRIAL_UNAVAILABLE released',
    'payment: 200',
    'payment: 402',
    'payment: PAYMENT_REUSED',
    'payment: SETTLEMENT_PENDING',
    'settlement: batch',
    'claim: settled final',
    'claim: settled lost',
    'claim: failed',
  ];
  t.deepEqual(
    expected.filter((what) => !counts.has(what)),
    [],
  );
});

for (const [seed, what] of [
  [5, 'trials'],
  [8, 'payments'],
] as const) {
  test.serial(`a seed with ${what} always gives the same trace`, async (t) => {
    const first = await replay(redis.url, seed);
    const second = await replay(redis.url, seed);
    t.true(first.trace.length > 50);
    t.deepEqual(second.trace, first.trace);
  });
}

for (const { name, plant, only, found } of PLANTED_FAULTS) {
  test.serial(`finds a planted fault: ${name}`, async (t) => {
    t.timeout(TIMEOUT_MS);
    const { failure } = await simulate({ redisUrl: redis.url, from: 1, seeds: SEEDS_FOR_A_PLANT, plant, only });
    t.regex(failure?.problem ?? 'nothing was found', found);
    t.true(failure !== undefined && failure.trace.length > 0);
  });
}
