import test from 'ava';
import { simulate } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { startTestRedis } from '../../../../helpers/servers.ts';
import { missingIn, runSeeds } from '../expected.ts';
import { PLANTED_FAULTS } from '../planted-faults.ts';

const SEEDS = 10_000;
/** Seeds of one test. */
const PART = 1000;
/** Within so many seeds, every planted fault is found. */
const SEEDS_FOR_A_PLANT = 1280;

const redis = await startTestRedis();
test.after.always(() => redis.stop());

const came = new Set<string>();

for (let from = 1; from <= SEEDS; from += PART) {
  test.serial(
    `trials and payments keep every promise under the faults of seeds ${from} to ${from + PART - 1}`,
    async (t) => {
      const report = await runSeeds(redis.url, from, PART);
      for (const what of report.came) came.add(what);
      t.is(report.failure, undefined);
      t.is(report.worlds, PART);
    },
  );
}

test.serial('every kind of fault and outcome came, and processes ended and stopped at every named step', (t) => {
  t.deepEqual(missingIn(came), []);
});

for (const { name, seed, plant, found } of PLANTED_FAULTS) {
  test.serial(`the recorded seed is the first that finds a planted fault: ${name}`, async (t) => {
    const { failure } = await simulate({ redisUrl: redis.url, from: 1, seeds: SEEDS_FOR_A_PLANT, plant });
    t.regex(failure?.problem ?? 'nothing was found', found);
    t.is(failure?.seed, seed);
  });
}
