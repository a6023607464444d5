import test from 'ava';
import { openLedgerSimulation } from '../../../../scripts/lab/simulate/run-ledger-worlds.ts';
import { missingInLedger } from './expected-ledger.ts';
import { PLANTED_LEDGER_FAULTS } from './planted-ledger-faults.ts';

const SEEDS = 300;

const simulation = await openLedgerSimulation('ledger');
test.after.always(() => simulation.close());

test.serial('the ledger keeps every promise under faults and crashes of its database', async (t) => {
  const { worlds, counts, failure } = await simulation.simulate({ from: 1, seeds: SEEDS });
  t.is(failure?.problem, undefined, `npm run simulate -- --worlds ledger --seed ${failure?.seed} --trace`);
  t.is(worlds, SEEDS);
  t.deepEqual(missingInLedger(counts), []);
});

test.serial('a seed always gives the same trace', async (t) => {
  const first = await simulation.replay(5);
  const second = await simulation.replay(5);
  t.true(first.trace.length > 20);
  t.deepEqual(second.trace, first.trace);
});

for (const { name, seed, plant, found } of PLANTED_LEDGER_FAULTS) {
  test.serial(`its recorded seed finds a planted fault: ${name}`, async (t) => {
    const { problem = 'nothing was found', trace } = await simulation.replay(seed, plant);
    t.regex(problem, found);
    t.true(trace.length > 0);
  });
}
