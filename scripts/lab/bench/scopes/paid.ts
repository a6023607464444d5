import { Pool } from 'undici';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { defaultPage } from '../../load/options.ts';
import { createChannel } from '../../load/scenarios/channel.ts';
import { createPaid } from '../../load/scenarios/paid.ts';
import type { Scenario, ScenarioContext } from '../../load/scenarios/scenario.ts';
import { createTrial } from '../../load/scenarios/trial.ts';
import { startOwnProduct } from '../../load/target/own-product.ts';
import type { Comparison } from '../measure/compare.ts';
import { startReference } from '../measure/reference-calls.ts';
import { runnerOf } from '../measure/scenario-runner.ts';
import type { Scope } from '../measure/scope.ts';

const IN_FLIGHT = [1, 8, 64] as const;
const MOST = Math.max(...IN_FLIGHT);
const CHANNEL_TARGET = 0.8;
const CHANNEL_CPU_TARGET = 1.3;
const EXACT_TARGET = 10;
/** Payments of one round, for each call in flight, a second. */
const EXACT_PER_SECOND = 5;
/** Calls in flight are bounded by their latency. Here, their number is given. */
const SETTINGS = { TARGET_LATENCY_MS: '60000' };

/**
 * Compares whole calls: by a voucher of a channel beside a trial, and by a payment of the scheme `exact` beside verify,
 * execute and settle of the x402 packages one by one, with the same content service.
 */
export const paid: Scope = async () => {
  const product = await startOwnProduct({ settings: SETTINGS });
  const { origin, dataDir } = product;
  const pool = new Pool(origin, { connections: MOST, pipelining: 1 });
  const context = { origin, pool, keys: undefined, page: defaultPage(), seed: 1, channels: MOST };
  const reference = await startReference(context, `unix:${runFolderOf(dataDir)}/content.sock`);
  await raiseLimit(createTrial('html-to-markdown', context));
  return {
    comparisons: [
      ...IN_FLIGHT.map((inFlight) => besideTrial(context, inFlight)),
      ...IN_FLIGHT.map((inFlight): Comparison => {
        const options = { inFlight, firstPerSecond: inFlight * EXACT_PER_SECOND };
        return {
          title: `exact beside the x402 packages, ${inFlight} in flight`,
          ours: { name: 'exact', run: runnerOf(createPaid(context), options) },
          reference: { name: 'x402 verify, execute, settle', run: runnerOf(reference.createScenario(), options) },
          ...(inFlight === MOST && { target: EXACT_TARGET }),
        };
      }),
    ],
    async stop() {
      await reference.stop();
      await pool.close();
      await product.stop();
    },
  };
};

function besideTrial(context: ScenarioContext, inFlight: number): Comparison {
  const channel = createChannel({ ...context, channels: inFlight });
  const trial = createTrial('html-to-markdown', context);
  return {
    title: `a call of a channel beside a trial, ${inFlight} in flight`,
    ours: { name: 'channel', run: runnerOf(channel, { inFlight }) },
    reference: { name: 'trial', run: runnerOf(trial, { inFlight }) },
    target: CHANNEL_TARGET,
    targetCpuRatio: CHANNEL_CPU_TARGET,
  };
}

/** The gateway raises its limit only while calls use it. Sends more calls at a time until none is refused. */
async function raiseLimit(scenario: Scenario): Promise<void> {
  const calls = MOST * 2;
  for (;;) {
    await scenario.prepare(calls);
    const outcomes = await Promise.all(Array.from({ length: calls }, () => scenario.send()));
    const failed = outcomes.find(({ isGood }) => !isGood);
    if (failed === undefined) return;
    if (failed.code !== '503 OVERLOADED') throw new Error(`a call was answered ${failed.code}`);
  }
}
