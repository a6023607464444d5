import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { messages } from '@electric-sql/pglite';
import test from 'ava';
import pg from 'pg';
import type { Simulation, WorldKind } from '../../../../scripts/lab/simulate/run-worlds.ts';
import type { PlantedFault } from './planted-fault.ts';

/** How many pools of simulated processes, and answers of the embedded server, are still in memory. */
async function countLeft(): Promise<readonly number[]> {
  await setImmediate();
  return [pg.Pool, messages.ReadyForQueryMessage].map((kind) => queryObjects(kind, { format: 'count' }));
}

/** Tests that worlds can be replayed and forgotten, and that each planted fault is found. */
export function testReplays(simulation: Simulation, faults: readonly PlantedFault[]): void {
  test.serial('a seed always gives the same trace', async (t) => {
    const first = await simulation.replay(5);
    const second = await simulation.replay(5);
    t.true(first.trace.length > 20);
    t.deepEqual(second.trace, first.trace);
  });

  test.serial('nothing of worlds that ended is kept in memory', async (t) => {
    await simulation.simulate({ from: 1, seeds: 3 });
    t.deepEqual(await countLeft(), [0, 0]);
  });

  for (const { name, seed, plant, found } of faults) {
    test.serial(`its recorded seed finds a planted fault: ${name}`, async (t) => {
      const { problem = 'nothing was found', trace } = await simulation.replay(seed, plant);
      t.regex(problem, found);
      t.true(trace.length > 0);
    });
  }
}

export interface ClientWorlds {
  readonly kind: Exclude<WorldKind, 'ledger'>;
  /** How many seeds run, from 1. */
  readonly seeds: number;
  /** Seeds whose worlds have the named steps and outcomes that do not come within the first seeds. */
  readonly rare?: readonly number[];
  /** A change of the product may move what is rare to other seeds. They are looked for up to this one. */
  readonly lastSeed: number;
  /** Kinds of faults and outcomes that worlds must have. */
  readonly kinds: readonly string[];
}

/** Tests that worlds with clients of gateways keep every promise, and have what they must have. */
export function testClients(simulation: Simulation, options: ClientWorlds): void {
  const { kind, seeds, rare = [], lastSeed, kinds } = options;
  test.serial(`${kind} keep every promise under faults and crashes, at every named step`, async (t) => {
    const came = new Set<string>();
    const missing = () => kinds.filter((what) => !came.has(what));
    const run = async (from: number, count: number) => {
      const { worlds, counts, failure } = await simulation.simulate({ from, seeds: count });
      t.is(failure?.problem, undefined, `npm run simulate -- --worlds ${kind} --seed ${failure?.seed} --trace`);
      t.is(worlds, count);
      for (const what of counts.keys()) came.add(what);
    };
    await run(1, seeds);
    for (const seed of rare) await run(seed, 1);
    for (let seed = seeds + 1; seed <= lastSeed && missing().length > 0; seed += 1) await run(seed, 1);
    t.deepEqual(missing(), []);
  });
}
