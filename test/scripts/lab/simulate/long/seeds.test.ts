import test from 'ava';
import { openSimulation } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { PAYMENT_STEPS } from '../../../../../scripts/lab/simulate/worlds/payment-world.ts';
import { ownProcess } from '../../../../kit/own-process.ts';
import { PLANTED_PAYMENT_FAULTS } from '../planted-payment-faults.ts';

ownProcess('the simulation replaces the clock, the timers and the random numbers of its process');

const SEEDS = 5000;
/** Seeds of one test. */
const PART = 500;
/** Within so many seeds, every planted fault is found. */
const SEEDS_FOR_A_PLANT = 600;

/** What is too rare for the first seeds. */
const RARE_KINDS = [
  'fault: forgotten transaction',
  'fault: lost lock',
  'settlement: batch',
  ...PAYMENT_STEPS.flatMap((step) => [`crash at: ${step}`, `stall at: ${step}`]),
];

const came = new Set<string>();
const simulation = await openSimulation('payments');
test.after.always(() => simulation.close());

for (let from = 1; from <= SEEDS; from += PART) {
  test.serial(`payments keep every promise under the faults of seeds ${from} to ${from + PART - 1}`, async (t) => {
    const { worlds, counts, failure } = await simulation.simulate({ from, seeds: PART });
    t.is(failure?.problem, undefined, `npm run simulate -- --seed ${failure?.seed} --trace`);
    t.is(worlds, PART);
    for (const what of counts.keys()) came.add(what);
  });
}

test.serial('payments have faults at every named step, and of every kind', (t) => {
  t.deepEqual(
    RARE_KINDS.filter((what) => !came.has(what)),
    [],
  );
});

for (const { name, seed, plant, found } of PLANTED_PAYMENT_FAULTS) {
  test.serial(`the recorded seed is the first that finds a planted fault: ${name}`, async (t) => {
    const { failure } = await simulation.simulate({ from: 1, seeds: SEEDS_FOR_A_PLANT, plant });
    t.regex(failure?.problem ?? 'nothing was found', found);
    t.is(failure?.seed, seed);
  });
}
