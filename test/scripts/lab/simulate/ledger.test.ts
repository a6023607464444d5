import test from 'ava';
import { openSimulation } from '../../../../scripts/lab/simulate/run-worlds.ts';
import { missingInLedger } from './expected-ledger.ts';
import { PLANTED_LEDGER_FAULTS } from './planted-ledger-faults.ts';
import { testReplays } from './world-tests.ts';

const SEEDS = 300;

const simulation = await openSimulation('ledger');
test.after.always(() => simulation.close());

test.serial('the ledger keeps every promise under faults and crashes of its database', async (t) => {
  const { worlds, counts, failure } = await simulation.simulate({ from: 1, seeds: SEEDS });
  t.is(failure?.problem, undefined, `npm run simulate -- --worlds ledger --seed ${failure?.seed} --trace`);
  t.is(worlds, SEEDS);
  t.deepEqual(missingInLedger(counts), []);
});

testReplays(simulation, PLANTED_LEDGER_FAULTS);
