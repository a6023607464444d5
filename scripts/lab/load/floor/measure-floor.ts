import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { defined } from '../../../../workers/exact/defined.ts';
import type { CellResult } from '../beside/cell.ts';
import { compareRounds, type Sample } from '../beside/ratios.ts';
import { type BothSides, orderOf, type Side } from '../beside/sides.ts';
import { createScenario } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { startOwnProduct } from '../target/own-product.ts';
import { createFloorCalls } from './floor-calls.ts';
import { perCall, readSpent, type Spent } from './spent.ts';
import { FLOOR_DATABASE, startFloor } from './start-floor.ts';

export interface FloorOptions {
  readonly rounds: number;
  readonly inFlight: number;
  readonly page: string;
  readonly seed: number;
}

const CALLS = 100;
const WARM_UP_CALLS = 400;
const MIN_WALLETS = 64;

interface Measured {
  readonly scenario: Scenario;
  readonly readSpent: () => Spent;
}

/** Measures trials beside the floor in turns, 100 calls of each in a round. The floor is the baseline. */
export async function measureFloor(options: FloorOptions, say: (line: string) => void): Promise<CellResult> {
  const { rounds, inFlight, page, seed } = options;
  say('starting a product of its own, and the floor');
  const product = await startOwnProduct({ settings: { HOST: '127.0.0.1' } });
  try {
    const floor = await startFloor(product);
    const pools = [new Pool(floor.origin), new Pool(product.origin)] as const;
    try {
      const [floorPool, pool] = pools;
      const wallets = Math.max(MIN_WALLETS, 2 * inFlight);
      const context = { origin: product.origin, pool, keys: product.keys, page, seed, channels: 1, wallets };
      const isOfFloor = (command: string) => command.includes(` ${FLOOR_DATABASE} `);
      const sides: BothSides<Measured> = {
        baseline: {
          scenario: createFloorCalls({ pool: floorPool, page, wallets }),
          // Redis is the product's, and serves one side at a time.
          readSpent: () =>
            add(
              readSpent(floor.pids, () => true),
              readSpent([product.pid], (command) => isOfFloor(command) || /(?:redis|valkey)-server/.test(command)),
            ),
        },
        present: {
          scenario: createScenario([{ name: 'trial', weight: 1 }], context),
          readSpent: () => readSpent([product.pid], (command) => !isOfFloor(command)),
        },
      };
      for (const side of orderOf(0)) await runCalls(sides[side], Math.max(WARM_UP_CALLS, 2 * wallets), inFlight);
      const samples: BothSides<Sample>[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const done: Partial<Record<Side, Sample>> = {};
        for (const side of orderOf(round)) done[side] = await runCalls(sides[side], CALLS, inFlight);
        samples.push({ baseline: defined(done.baseline), present: defined(done.present) });
        say(`  round ${round + 1} of ${rounds}`);
      }
      const codes = {
        baseline: defined(samples.at(-1)).baseline.codes,
        present: defined(samples.at(-1)).present.codes,
      };
      return { scenario: 'trial', inFlight, figures: compareRounds(samples), codes };
    } finally {
      await Promise.all(pools.map((each) => each.destroy()));
      await floor.stop();
    }
  } finally {
    await product.stop();
  }
}

const add = (one: Spent, other: Spent): Spent =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  );

/** @throws {Error} if a call does not get the wanted answer */
async function runCalls({ scenario, readSpent: read }: Measured, calls: number, inFlight: number): Promise<Sample> {
  await scenario.prepare(calls);
  const before = read();
  const latencies: number[] = [];
  const beganMs = performance.now();
  let left = calls;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const sentMs = performance.now();
      const { isGood, code } = await scenario.send();
      if (!isGood) throw new Error(`a call was answered with ${code}`);
      latencies.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - beganMs) / 1000;
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (part: number) => defined(sorted[Math.floor(part * (sorted.length - 1))]);
  return {
    perSecond: calls / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMsByProcess: perCall(before, read(), calls),
    codes: { '200': calls },
  };
}
