import test from 'ava';
import { openSimulation } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { ownProcess } from '../../../../kit/own-process.ts';
import { missingInLedger } from '../expected-ledger.ts';
import { PLANTED_LEDGER_FAULTS } from '../planted-ledger-faults.ts';
import { testReplays } from '../world-tests.ts';

ownProcess('the simulation replaces the clock, the timers and the random numbers of its process');

const SEEDS = 300;

const simulation = await openSimulation('ledger');
test.after.always(() => simulation.close());

test.serial('the ledger keeps every promise under faults and crashes of its database', async (t) => {
  const { worlds, counts, failure } = await simulation.simulate({ from: 1, seeds: SEEDS });
  t.is(failure?.problem, undefined, `npm run simulate -- --worlds ledger --seed ${failure?.seed} --trace`);
  t.is(worlds, SEEDS);
  t.deepEqual(missingInLedger(counts), []);
});

test.serial('a call that a crash forgot and that was then denied is not lost', async (t) => {
  const { problem } = await simulation.replay(1_020_440);
  t.is(problem, undefined);
});

testReplays(simulation, PLANTED_LEDGER_FAULTS);
