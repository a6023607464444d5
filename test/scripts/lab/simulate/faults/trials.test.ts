import test from 'ava';
import { openSimulation } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { TRIAL_STEPS } from '../../../../../scripts/lab/simulate/worlds/trial-world.ts';
import { ownProcess } from '../../../../kit/own-process.ts';
import { PLANTED_TRIAL_FAULTS } from '../planted-trial-faults.ts';
import { testClients, testReplays } from '../world-tests.ts';

ownProcess('the simulation replaces the clock, the timers and the random numbers of its process');

/** Kinds of faults and outcomes that worlds must have. */
const KINDS = [
  'fault: lost request',
  'fault: lost reply',
  'fault: late message',
  'fault: doubled message',
  'fault: crash at a message',
  'fault: failed statement',
  'fault: crash of the database',
  'fault: lost commits',
  'trial: 200 charged',
  'trial: 200 accounting_uncertain',
  'trial: 402 insufficient_balance',
  'trial: 402 daily_budget_exhausted',
  'trial: REPLAYED_PROOF rejected',
  'trial: TRIAL_UNAVAILABLE released',
  ...TRIAL_STEPS.flatMap((step) => [`crash at: ${step}`, `stall at: ${step}`]),
];

const simulation = await openSimulation('trials');
test.after.always(() => simulation.close());

testClients(simulation, { kind: 'trials', seeds: 300, rare: [336, 389, 974], lastSeed: 3000, kinds: KINDS });
testReplays(simulation, PLANTED_TRIAL_FAULTS);
