import { type Report, simulate } from '../../../../scripts/lab/simulate/run-worlds.ts';
import { PAYMENT_STEPS } from '../../../../scripts/lab/simulate/worlds/payment-world.ts';

/** Kinds of faults and outcomes that worlds must have. */
const KINDS = [
  'fault: lost request',
  'fault: lost reply',
  'fault: late message',
  'fault: doubled message',
  'fault: crash at a message',
  'fault: broken connection to Redis',
  'fault: failed statement',
  'fault: lost call of the node',
  'fault: reorganization',
  'fault: high fees',
  'fault: forgotten transaction',
  'payment: 200',
  'payment: 402',
  'payment: PAYMENT_REUSED',
  'payment: SETTLEMENT_PENDING',
  'settlement: batch',
  'claim: settled final',
  'claim: settled lost',
  'claim: failed',
];

/** Processes must end and stop at every named step. */
const STEPS = PAYMENT_STEPS.flatMap((step) => [`crash at: ${step}`, `stall at: ${step}`]);

/** What did not come in the counted worlds. */
export const missingIn = (counts: ReadonlySet<string>): readonly string[] =>
  [...KINDS, ...STEPS].filter((what) => !counts.has(what));

/** What came in the worlds of a few seeds, and why the first one failed, if one did. */
export async function runSeeds(redisUrl: string, from: number, seeds: number) {
  const report = await simulate({ redisUrl, from, seeds });
  return { worlds: report.worlds, came: [...report.counts.keys()], failure: describeFailure(report) };
}

function describeFailure({ failure }: Report): string | undefined {
  if (failure === undefined) return undefined;
  const { seed, problem } = failure;
  return `seed ${seed}: ${problem}\nTo see what happened: npm run simulate -- --seed ${seed} --trace`;
}
