import test from 'ava';
import { openLedgerSimulation } from '../../../../scripts/lab/simulate/run-ledger-worlds.ts';
import { CHANNEL_STEPS } from '../../../../scripts/lab/simulate/worlds/channel-world.ts';
import { PLANTED_CHANNEL_FAULTS } from './planted-channel-faults.ts';

const SEEDS = 100;
/** A change of the product may move what is rare to other seeds. They are looked for up to this one. */
const LAST_SEED = 1000;

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

const simulation = await openLedgerSimulation('channels');
test.after.always(() => simulation.close());

test.serial('channels keep every promise under faults and crashes, at every named step', async (t) => {
  const came = new Set<string>();
  const missing = () => KINDS.filter((what) => !came.has(what));
  const run = async (from: number, seeds: number) => {
    const { worlds, counts, failure } = await simulation.simulate({ from, seeds });
    t.is(failure?.problem, undefined, `npm run simulate -- --worlds channels --seed ${failure?.seed} --trace`);
    t.is(worlds, seeds);
    for (const what of counts.keys()) came.add(what);
  };
  await run(1, SEEDS);
  for (let seed = SEEDS + 1; seed <= LAST_SEED && missing().length > 0; seed += 1) await run(seed, 1);
  t.deepEqual(missing(), []);
});

test.serial('a seed always gives the same trace', async (t) => {
  const first = await simulation.replay(5);
  const second = await simulation.replay(5);
  t.true(first.trace.length > 20);
  t.deepEqual(second.trace, first.trace);
});

for (const { name, seed, plant, found } of PLANTED_CHANNEL_FAULTS) {
  test.serial(`its recorded seed finds a planted fault: ${name}`, async (t) => {
    const { problem = 'nothing was found' } = await simulation.replay(seed, plant);
    t.regex(problem, found);
  });
}
