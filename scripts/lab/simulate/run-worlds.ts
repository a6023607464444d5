import { createDriver, type Driver } from './engine/driver.ts';
import { drawFaults } from './engine/faults.ts';
import type { Machine } from './engine/machine.ts';
import { createNetwork } from './engine/network.ts';
import { failAtStep } from './engine/steps.ts';
import { installVirtualTime } from './engine/virtual-time.ts';
import { createWorld, type World } from './engine/world.ts';
import type { Plant } from './processes/plants.ts';
import { openSharedRedis, type SharedRedis } from './redis/redis-server.ts';
import { createTables } from './store/tables.ts';
import { PAYMENT_STEPS, runPayments } from './worlds/payment-world.ts';
import { startOf } from './worlds/start.ts';

export interface SimulationOptions {
  /** URL of a Redis that nothing else uses. */
  readonly redisUrl: string;
  readonly from: number;
  readonly seeds: number;
  readonly plant?: Plant;
  /** Called after each chunk of seeds. */
  readonly onProgress?: (done: number) => void;
}

export interface Failure {
  readonly seed: number;
  readonly problem: string;
  readonly trace: readonly string[];
}

export interface Report {
  /** Worlds that ran. */
  readonly worlds: number;
  /** How often each fault, step and answer came. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first seed that failed. */
  readonly failure: Failure | undefined;
}

const CONCURRENT = 128;
/** Keys are deleted after this many worlds. */
const CHUNK = 256;

/** Runs one world for each seed, and stops after the chunk in which one failed. */
export async function simulate({ redisUrl, from, seeds, plant = {}, onProgress }: SimulationOptions): Promise<Report> {
  installVirtualTime();
  const redis = await openSharedRedis(redisUrl, plant.library);
  // Worlds share this cache of a package, and it forgets by their clocks.
  const driver = createDriver();
  const counts = new Map<string, number>();
  let worlds = 0;
  const { stackTraceLimit } = Error;
  // Lost messages are errors in the product. Their stacks would take a tenth of the time.
  Error.stackTraceLimit = 0;
  try {
    for (let first = from; first < from + seeds; first += CHUNK) {
      const chunk = Array.from({ length: Math.min(CHUNK, from + seeds - first) }, (_, index) => first + index);
      const failed: number[] = [];
      const waiting = chunk.values();
      const lane = async () => {
        for (const seed of waiting) {
          const { problem, world } = await runWorld({ seed, redis, driver, plant, isTraced: false });
          worlds += 1;
          for (const [what, count] of world.counts) counts.set(what, (counts.get(what) ?? 0) + count);
          if (problem !== undefined) failed.push(seed);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENT }, lane));
      await redis.clear();
      const [seed] = failed.toSorted((one, other) => one - other);
      if (seed !== undefined) {
        const { problem = 'the replay did not fail', world } = await runWorld({
          seed,
          redis,
          driver,
          plant,
          isTraced: true,
        });
        await redis.clear();
        return { worlds, counts, failure: { seed, problem, trace: world.trace } };
      }
      onProgress?.(worlds);
    }
    return { worlds, counts, failure: undefined };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    redis.close();
  }
}

interface WorldRun {
  readonly seed: number;
  readonly redis: SharedRedis;
  readonly driver: Driver;
  readonly plant: Plant;
  readonly isTraced: boolean;
}

const FIRST_CHAIN_ID = 10_000_000;

async function runWorld({ seed, redis, driver, plant, isTraced }: WorldRun): Promise<{
  readonly world: World;
  readonly problem: string | undefined;
}> {
  const startMs = startOf(seed);
  const world = createWorld({ seed, startMs, isTraced, wake: driver.wake });
  const { random } = world;
  const faults = drawFaults(random, PAYMENT_STEPS);
  const redisOffsetMs = faults.wrongClocks ? random.between(-5000, 5000) : 0;
  const storeOffsetMs = faults.wrongClocks ? random.between(-5000, 5000) : 0;
  const machines: Machine[] = [];
  failAtStep(world, faults, machines);
  const network = createNetwork(world, faults);
  const tables = createTables(() => world.nowMs() + storeOffsetMs);
  const caip2 = `eip155:${FIRST_CHAIN_ID + seed}` as const;
  const setting = { world, faults, network, redis, tables, caip2, redisOffsetMs };
  world.at(startMs, () => {
    runPayments(setting, machines, plant).then(() => world.end(), world.end);
  });
  driver.wake(world);
  try {
    await world.ended;
    return { world, problem: undefined };
  } catch (error) {
    return { world, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const machine of machines) machine.host()?.kill();
  }
}

/** Runs one seed and returns its trace. */
export async function replay(
  redisUrl: string,
  seed: number,
  plant: Plant = {},
): Promise<Omit<Failure, 'problem'> & Partial<Pick<Failure, 'problem'>>> {
  installVirtualTime();
  const redis = await openSharedRedis(redisUrl, plant.library);
  try {
    const { problem, world } = await runWorld({
      seed,
      redis,
      driver: createDriver(),
      plant,
      isTraced: true,
    });
    await redis.clear();
    return { seed, trace: world.trace, ...(problem === undefined ? {} : { problem }) };
  } finally {
    redis.close();
  }
}
