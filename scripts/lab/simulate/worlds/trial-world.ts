import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { pause } from '../clients/http.ts';
import { runTrialClient } from '../clients/trial-client.ts';
import { createWallet } from '../clients/wallet.ts';
import { createHost, type Host } from '../engine/host.ts';
import { createMachine, type Machine } from '../engine/machine.ts';
import { createNetwork } from '../engine/network.ts';
import { Violation } from '../engine/world.ts';
import type { TrialAnswer } from '../model/trial-facts.ts';
import { judgeTrials } from '../model/trial-model.ts';
import { openSimulatedPool } from '../postgres/simulated-pool.ts';
import { startGateway } from '../processes/gateway.ts';
import { createSimulatedLocks, openLedger, serveLedger } from '../processes/ledger.ts';
import { createOperation, type Executions } from '../processes/operation.ts';
import { repeat } from '../processes/setting.ts';
import { readTrialFacts } from './ledger-facts.ts';
import { type LedgerSetting, NETWORK } from './ledger-world.ts';

export const TRIAL_STEPS = [
  'reserve.before',
  'reserve.after',
  'execute.before',
  'execute.after',
  'post.before',
  'post.after',
] as const;

const PRICES = [3000n, 14_000n, 26_000n] as const;
const RIGHT_CLOCK = { offsetMs: 0, drift: 0 };
const UNUSED_TERMS = createTerms({
  network: NETWORK,
  payTo: '0x00000000000000000000000000000000000000aa',
  sandbox: true,
});
/** Little enough that worlds exhaust it. */
const TERMS: TrialTerms = {
  grantMicroUsd: 50_000n,
  dailyBudgetMicroUsd: 40_000n,
  grantsPerScope: 0,
  failuresPerHour: 5,
};
const SWEEP_EVERY_MS = 8000;
const ROUND_MS = 5000;
const MAX_ROUNDS = 60;

/** Runs trials through gateways until nothing is open, and judges what is left. @throws {Violation} */
export async function runTrials({ world, faults, database }: LedgerSetting, machines: Machine[]): Promise<void> {
  const { random } = world;
  const network = createNetwork(world, faults);
  const executions: Executions = { all: [] };
  const price = random.pick(PRICES);
  const operation = createOperation(executions, price);
  const locksOf = createSimulatedLocks(world);
  let crashes = 0;
  database.onCrash(() => {
    crashes += 1;
  });
  const addMachine = (name: string, boot: (host: Host, machine: Machine) => ReturnType<typeof startGateway>) => {
    const machine: Machine = createMachine({
      world,
      name,
      clock: RIGHT_CLOCK,
      faults,
      boot: (host) => boot(host, machine),
    });
    machines.push(machine);
    return machine;
  };
  const backoffice = addMachine('backoffice', async (host, machine) => {
    const pool = openSimulatedPool({ host, machine, database, network, faults });
    const { handlers, ledger } = serveLedger(pool, { network: NETWORK, terms: TERMS });
    repeat(
      host,
      () => SWEEP_EVERY_MS,
      () => ledger.sweep({ graceMs: 5000, limit: 100 }),
    );
    return handlers;
  });
  const boot = (host: Host) =>
    startGateway({ network, caip2: NETWORK }, host, {
      operation,
      terms: UNUSED_TERMS,
      ledger: openLedger({ network, host, to: () => backoffice }, locksOf(host)),
      backoffice,
      payments: [backoffice],
    });
  const gateways = [addMachine('gateway-a', boot), addMachine('gateway-b', boot)] as const;
  for (const machine of machines) machine.start();

  const answers: TrialAnswer[] = [];
  const clients = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (_, index) => {
    const name = `client-${index + 1}`;
    const host = createHost(world, name, RIGHT_CLOCK);
    const wallet = createWallet(random);
    const requests = random.between(1, 3);
    return new Promise<void>((resolve, reject) => {
      host.enter(() => {
        const options = { host, network, gateways, wallet, chainId: NETWORK, requests, name, answers };
        runTrialClient(options).then(resolve, reject);
      });
    });
  });
  await Promise.all(clients);

  faults.isOn = false;
  world.note(() => 'the faults end');
  const director = createHost(world, 'director', RIGHT_CLOCK);
  await new Promise<void>((resolve, reject) => {
    director.enter(() => void judge().then(resolve, reject));
  });

  async function judge(): Promise<void> {
    const pool = openSimulatedPool({ host: director, machine: undefined, database, network, faults });
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await pause(director, ROUND_MS);
      const { open } = await readTrialFacts({ pool, network: NETWORK });
      // No gateway can still be working on one.
      if (round >= 4 && open.length === 0) break;
    }
    const facts = await readTrialFacts({ pool, network: NETWORK });
    const { grantMicroUsd: grant } = TERMS;
    const run = { grant, price, crashes, executions: executions.all.map(({ tag }) => tag), answers };
    const problems = judgeTrials({ ...facts, ...run });
    if (problems.length > 0) throw new Violation(problems.join('\n'));
  }
}
