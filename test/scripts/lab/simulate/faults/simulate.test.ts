import test from 'ava';
import { openSimulation } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { ownProcess } from '../../../../kit/own-process.ts';
import { PLANTED_PAYMENT_FAULTS } from '../planted-payment-faults.ts';
import { testClients, testReplays } from '../world-tests.ts';

ownProcess('the simulation replaces the clock, the timers and the random numbers of its process');

/** Kinds of faults and outcomes that the first worlds must have. Rare ones come in the long test. */
const KINDS = [
  'fault: lost request',
  'fault: lost reply',
  'fault: late message',
  'fault: doubled message',
  'fault: crash at a message',
  'fault: failed statement',
  'fault: crash of the database',
  'fault: lost commits',
  'fault: lost call of the node',
  'fault: reorganization',
  'fault: high fees',
  'payment: 200',
  'payment: 402',
  'payment: PAYMENT_REUSED',
  'payment: SETTLEMENT_PENDING',
  'claim: settled final',
  'claim: failed',
];

const simulation = await openSimulation('payments');
test.after.always(() => simulation.close());

testClients(simulation, { kind: 'payments', seeds: 60, lastSeed: 60, kinds: KINDS });
testReplays(simulation, PLANTED_PAYMENT_FAULTS);
