import { LEDGER_FUNCTIONS } from '../../../services/store/ledger-functions.ts';
import { createDriver } from './engine/driver.ts';
import { drawFaults } from './engine/faults.ts';
import type { Machine } from './engine/machine.ts';
import { failAtStep } from './engine/steps.ts';
import { installVirtualTime } from './engine/virtual-time.ts';
import { createWorld, type World } from './engine/world.ts';
import { type EmbeddedServer, openEmbeddedServer } from './postgres/embedded-server.ts';
import { createSimulatedDatabase } from './postgres/simulated-database.ts';
import type { DatabaseFaults } from './postgres/simulated-pool.ts';
import { firstColumns } from './postgres/wire.ts';
import type { ChangeService } from './processes/channels.ts';
import type { ChangeChain, ChangeClaims } from './processes/payments.ts';
import { CHANNEL_STEPS, runChannels } from './worlds/channel-world.ts';
import { runLedger } from './worlds/ledger-world.ts';
import { PAYMENT_STEPS, runPayments } from './worlds/payment-world.ts';
import { NOON, startOf } from './worlds/start.ts';
import { runTrials, TRIAL_STEPS } from './worlds/trial-world.ts';

/** A change of the text of one function of the ledger. */
export interface PlantedText {
  readonly name: string;
  readonly old: string;
  readonly changed: string;
  /** A statement besides. */
  readonly also?: string;
}

/** Changes of the payments service: of what it does for channels, what it sees of the chain, and how it uses claims. */
export interface PlantedService {
  readonly changeService?: ChangeService;
  readonly changeChain?: ChangeChain;
  readonly changeClaims?: ChangeClaims;
}

/** A fault that is planted into the product, to prove that the simulation finds it. */
export type Plant = PlantedService & (PlantedText | { readonly name?: never });

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

export interface SimulationOptions {
  readonly from: number;
  readonly seeds: number;
  readonly plant?: Plant | undefined;
  /** Called after each chunk of seeds. */
  readonly onProgress?: (done: number) => void;
}

/** `ledger`: callers of the ledger's store. The others: clients of gateways. */
export type WorldKind = keyof typeof WORLDS;

/** Worlds of one kind, which share one embedded PostgreSQL and run one after the other. */
export interface Simulation {
  /** Runs one world for each seed, and stops after the first that failed. */
  simulate(options: SimulationOptions): Promise<Report>;
  /** Runs one seed and returns its trace. */
  replay(seed: number, plant?: Plant): Promise<Replay>;
  close(): Promise<void>;
}

type Replay = Omit<Failure, 'problem'> & { readonly problem: string | undefined };

/** How worlds run, and the named steps that they pass. */
const WORLDS = {
  payments: { run: runPayments, steps: PAYMENT_STEPS },
  // The store passes none.
  ledger: { run: runLedger, steps: ['none'] },
  trials: { run: runTrials, steps: TRIAL_STEPS },
  channels: { run: runChannels, steps: CHANNEL_STEPS },
} as const;
export const isWorldKind = (text: string): text is WorldKind => Object.hasOwn(WORLDS, text);
const CHUNK = 256;
const CRASH_RATES = [0, 0.01, 0.05] as const;

export async function openSimulation(kind: WorldKind): Promise<Simulation> {
  installVirtualTime();
  const server = await openEmbeddedServer(NOON);
  const driver = createDriver();

  async function run(
    seed: number,
    plant: Plant | undefined,
    isTraced: boolean,
  ): Promise<{ world: World; problem?: string }> {
    const world = createWorld({ seed, startMs: startOf(seed), isTraced });
    const { random } = world;
    const { run: runWorld, steps } = WORLDS[kind];
    const drawn = drawFaults(random, steps);
    const isCalm = drawn.refused + drawn.broken + drawn.late === 0;
    const faults: DatabaseFaults = { ...drawn, databaseCrash: isCalm ? 0 : random.pick(CRASH_RATES) };
    const synchronousCommit = random.pick(['on', 'off'] as const);
    const database = createSimulatedDatabase({ world, server, synchronousCommit, plant: formatPlant(server, plant) });
    const machines: Machine[] = [];
    failAtStep(world, faults, machines);
    world.at(world.nowMs(), () => {
      const { changeService, changeChain, changeClaims } = plant ?? {};
      runWorld({ world, faults, database, changeService, changeChain, changeClaims }, machines).then(
        () => world.end(),
        world.end,
      );
    });
    driver.wake(world);
    try {
      await world.ended;
      return { world };
    } catch (error) {
      return { world, problem: error instanceof Error ? error.message : String(error) };
    } finally {
      for (const machine of machines) machine.host()?.kill();
      database.close();
    }
  }

  async function replay(seed: number, plant?: Plant): Promise<Replay> {
    const { world, problem } = await run(seed, plant, true);
    return { seed, trace: world.trace, problem };
  }

  return {
    replay,
    close: server.close,
    async simulate({ from, seeds, plant, onProgress }) {
      const counts = new Map<string, number>();
      for (let seed = from; seed < from + seeds; seed += 1) {
        const worlds = seed - from + 1;
        const { world, problem } = await run(seed, plant, false);
        for (const [what, count] of world.counts) counts.set(what, (counts.get(what) ?? 0) + count);
        if (problem !== undefined) {
          const again = await replay(seed, plant);
          return { worlds, counts, failure: { ...again, problem: again.problem ?? 'the replay did not fail' } };
        }
        if (worlds % CHUNK === 0) onProgress?.(worlds);
      }
      return { worlds: seeds, counts, failure: undefined };
    },
  };
}

/** The statement that plants a fault. The old text must be there, or the fault would not be planted. */
function formatPlant(server: EmbeddedServer, plant: Plant | undefined): string {
  if (plant?.name === undefined) return '';
  const { name, old, changed, also = '' } = plant;
  const [text] = firstColumns(server.command(`SELECT pg_get_functiondef('${LEDGER_FUNCTIONS}.${name}'::regproc)`));
  if (text?.includes(old) !== true) throw new Error(`${name} has no text ${old}`);
  return `${text.replace(old, () => changed)}; ${also}`;
}
