import test from 'ava';
import { openSimulation } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { ownProcess } from '../../../../kit/own-process.ts';
import { PLANTED_LEDGER_FAULTS } from '../planted-ledger-faults.ts';

ownProcess('the simulation replaces the clock, the timers and the random numbers of its process');

const SEEDS = 10_000;
/** Seeds of one test. */
const PART = 1000;
/** Within so many seeds, every planted fault is found. */
const SEEDS_FOR_A_PLANT = 600;

const simulation = await openSimulation('ledger');
test.after.always(() => simulation.close());

for (let from = 1; from <= SEEDS; from += PART) {
  test.serial(`the ledger keeps every promise under the faults of seeds ${from} to ${from + PART - 1}`, async (t) => {
    const { worlds, failure } = await simulation.simulate({ from, seeds: PART });
    t.is(failure?.problem, undefined, `npm run simulate -- --worlds ledger --seed ${failure?.seed} --trace`);
    t.is(worlds, PART);
  });
}

for (const { name, seed, plant, found } of PLANTED_LEDGER_FAULTS) {
  test.serial(`the recorded seed is the first that finds a planted fault: ${name}`, async (t) => {
    const { failure } = await simulation.simulate({ from: 1, seeds: SEEDS_FOR_A_PLANT, plant });
    t.regex(failure?.problem ?? 'nothing was found', found);
    t.is(failure?.seed, seed);
  });
}
