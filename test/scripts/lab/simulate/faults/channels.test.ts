import test from 'ava';
import { openSimulation } from '../../../../../scripts/lab/simulate/run-worlds.ts';
import { CHANNEL_STEPS } from '../../../../../scripts/lab/simulate/worlds/channel-world.ts';
import { ownProcess } from '../../../../kit/own-process.ts';
import { PLANTED_CHANNEL_FAULTS } from '../planted-channel-faults.ts';
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
  'channel: 200',
  'channel: 402 channel_busy',
  'channel: 402 cumulative_amount_mismatch',
  'channel: 402 cumulative_below_claimed',
  'channel: 402 cumulative_exceeds_balance',
  'channel: PAYMENT_UNAVAILABLE',
  'channel: SETTLEMENT_PENDING',
  'refund: 200',
  'refund: 402 refund_no_balance',
  'refund: SETTLEMENT_PENDING',
  'mined: deposit',
  'mined: claim',
  'mined: refund',
  'withdrawal',
  ...CHANNEL_STEPS.flatMap((step) => [`crash at: ${step}`, `stall at: ${step}`]),
];

const simulation = await openSimulation('channels');
test.after.always(() => simulation.close());

testClients(simulation, { kind: 'channels', seeds: 100, rare: [101, 103, 104, 123], lastSeed: 1000, kinds: KINDS });
testReplays(simulation, PLANTED_CHANNEL_FAULTS);
