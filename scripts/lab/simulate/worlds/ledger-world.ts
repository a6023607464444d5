import { createTrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import { pause } from '../clients/http.ts';
import { createCaller } from '../clients/ledger-caller.ts';
import { createLedgerLog, drawAsk } from '../clients/ledger-log.ts';
import { createHost, type Host } from '../engine/host.ts';
import { createMachine, type Handlers, type Machine } from '../engine/machine.ts';
import { createNetwork } from '../engine/network.ts';
import { Violation, type World } from '../engine/world.ts';
import { judgeLedger } from '../model/ledger-model.ts';
import type { SimulatedDatabase } from '../postgres/simulated-database.ts';
import { type DatabaseFaults, openSimulatedPool } from '../postgres/simulated-pool.ts';
import { repeat } from '../processes/setting.ts';
import { readLedgerFacts } from './ledger-facts.ts';

export interface LedgerSetting {
  readonly world: World;
  readonly faults: DatabaseFaults;
  readonly database: SimulatedDatabase;
}

const RIGHT_CLOCK = { offsetMs: 0, drift: 0 };
export const NETWORK = 'eip155:31337';
const SWEEP_EVERY_MS = 8000;
const MAX_CALLS = 14;
const MAX_PAUSE_MS = 4000;
/** While faults happen. */
const FAULTS_MS = 60_000;
const LONGEST_STALL_MS = 60_000;
const ROUND_MS = 5000;
const MAX_ROUNDS = 60;

/** Runs trials of several processes against the ledger until nothing is open, and judges what is left. @throws {Violation} */
export async function runLedger({ world, faults, database }: LedgerSetting, machines: Machine[]): Promise<void> {
  const { random } = world;
  const network = createNetwork(world, faults);
  const terms: TrialTerms = {
    grantMicroUsd: 50_000n,
    dailyBudgetMicroUsd: random.pick([45_000n, 60_000n, 100_000n, 1_000_000n]),
    grantsPerScope: random.pick([0, 0, 2]),
    failuresPerHour: random.pick([0, 1, 2]),
  };
  const log = createLedgerLog();
  const wallets = [newAddress(world), newAddress(world), newAddress(world)] as const;
  let callsLeft = random.between(4, MAX_CALLS);
  const running = new Map<Host, number>();

  const open = (host: Host, machine?: Machine) => {
    const pool = openSimulatedPool({ host, machine, database, network, faults });
    const monotonicMs = () => performance.now();
    return { pool, ledger: createTrialLedger({ pool, network: NETWORK, terms, monotonicMs }) };
  };
  const addMachine = (name: string, boot: (host: Host, machine: Machine) => void): void => {
    const machine: Machine = createMachine({
      world,
      name,
      clock: RIGHT_CLOCK,
      faults,
      async boot(host): Promise<Handlers> {
        boot(host, machine);
        return {};
      },
    });
    machines.push(machine);
  };

  function startGateway(host: Host, machine: Machine): void {
    const { ledger } = open(host, machine);
    const call = createCaller({ host, ledger, log, database });
    running.set(host, 0);
    host.onEnd(() => running.delete(host));
    const lane = async () => {
      while (callsLeft > 0) {
        callsLeft -= 1;
        await call(drawAsk(world, wallets, log));
        await pause(host, random.pick([0, random.below(MAX_PAUSE_MS)]));
      }
    };
    for (let lanes = random.between(1, 4); lanes > 0; lanes -= 1) {
      running.set(host, (running.get(host) ?? 0) + 1);
      lane().then(() => running.set(host, (running.get(host) ?? 0) - 1), world.end);
    }
  }
  addMachine('gateway-a', startGateway);
  addMachine('gateway-b', startGateway);
  addMachine('sweep', (host, machine) => {
    const { ledger } = open(host, machine);
    repeat(
      host,
      () => SWEEP_EVERY_MS,
      () => ledger.sweep({ graceMs: 1000, limit: 2 }),
    );
  });
  for (const machine of machines) machine.start();
  planFaults({ world, faults, database }, machines);

  const director = createHost(world, 'director', RIGHT_CLOCK);
  const inDirector = <Result>(work: () => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      director.enter(() => void work().then(resolve, reject));
    });
  await inDirector(() => pause(director, FAULTS_MS));
  faults.isOn = false;
  world.note(() => 'the faults end');
  await inDirector(async () => {
    const { pool, ledger } = open(director);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await pause(director, ROUND_MS);
      const isIdle = callsLeft === 0 && [...running.values()].every((lanes) => lanes === 0);
      if (isIdle && (await ledger.figures()).open === 0) break;
    }
    const problems = judgeLedger(await readLedgerFacts({ pool, network: NETWORK, terms, log }));
    if (problems.length > 0) throw new Violation(problems.join('\n'));
  });
}

/** Crashes and stops at any time, besides those at messages. */
function planFaults({ world, faults, database }: LedgerSetting, machines: readonly Machine[]): void {
  const { random } = world;
  const plan = (rate: number, run: () => void) => {
    if (rate > 0 && random.chance(0.4)) world.at(world.nowMs() + random.below(FAULTS_MS / 2), run);
  };
  plan(faults.databaseCrash, () => database.crash('at any time'));
  for (const machine of machines) {
    plan(faults.crash, () => machine.crash('at any time'));
    plan(faults.crash, () => machine.host()?.stall(random.between(1000, LONGEST_STALL_MS)));
  }
}

const newAddress = ({ random }: World): string => `0x${random.hex(20)}`;
