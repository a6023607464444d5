import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { pause } from '../clients/http.ts';
import { runTrialClient } from '../clients/trial-client.ts';
import { createWallet } from '../clients/wallet.ts';
import { drawClock } from '../engine/faults.ts';
import { createHost, type Host } from '../engine/host.ts';
import { createMachine, type Machine } from '../engine/machine.ts';
import { Violation } from '../engine/world.ts';
import type { TrialAnswer, TrialFacts } from '../model/trial-facts.ts';
import { judgeTrials } from '../model/trial-model.ts';
import { startBackoffice } from '../processes/backoffice.ts';
import { startGateway } from '../processes/gateway.ts';
import { DAILY_BUDGET, GRANT } from '../processes/ledger.ts';
import { createOperation, type Executions } from '../processes/operation.ts';
import type { Plant } from '../processes/plants.ts';
import { prefixOf, type Setting } from '../processes/setting.ts';

export const TRIAL_STEPS = [
  'reserve.before',
  'reserve.after',
  'execute.before',
  'execute.after',
  'retain.before',
  'retain.after',
  'post.before',
  'post.after',
] as const;

const PRICES = [3000n, 14_000n, 26_000n] as const;
const RIGHT_CLOCK = { offsetMs: 0, drift: 0 };
const UNUSED_TERMS = createTerms({
  network: 'eip155:31337',
  payTo: '0x00000000000000000000000000000000000000aa',
  sandbox: true,
});

/** Runs trials in a world until nothing is open, and judges what is left. @throws {Violation} */
export async function runTrials(setting: Setting, machines: Machine[], plant: Plant): Promise<void> {
  const { world, faults } = setting;
  const { random } = world;
  const executions: Executions = { all: [] };
  const operation = createOperation(executions, random.pick(PRICES));
  const machine = (name: string, boot: (host: Host) => ReturnType<typeof startGateway>): Machine => {
    const created = createMachine({ world, name, clock: drawClock(random, faults), faults, boot });
    machines.push(created);
    return created;
  };
  const backoffice = machine('backoffice', (host) =>
    startBackoffice(setting, host, {
      hasTrials: true,
      resolveClaim: () => Promise.reject(new Error('there are no payments')),
      change: plant.retention,
    }),
  );
  const boot = (host: Host) =>
    startGateway(setting, host, {
      operation,
      terms: UNUSED_TERMS,
      backoffice,
      payments: [backoffice],
    });
  const gateways = [machine('gateway-a', boot), machine('gateway-b', boot)] as const;
  for (const each of machines) each.start();

  const answers: TrialAnswer[] = [];
  const clients = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (_, index) => {
    const name = `client-${index + 1}`;
    const host = createHost(world, name, RIGHT_CLOCK);
    const wallet = createWallet(random);
    const { network, caip2: chainId } = setting;
    const requests = random.between(1, 3);
    return new Promise<void>((resolve, reject) => {
      host.enter(() => {
        runTrialClient({ host, network, gateways, wallet, chainId, requests, name, answers }).then(resolve, reject);
      });
    });
  });
  await Promise.all(clients);

  faults.isOn = false;
  world.note(() => 'the faults end');
  const director = createHost(world, 'director', RIGHT_CLOCK);
  await untilResolved(setting, director);
  const problems = judgeTrials(await readFacts(setting, executions, answers));
  if (problems.length > 0) throw new Violation(problems.join('\n'));
}

const ROUND_MS = 5000;
const MOST_ROUNDS = 60;

/** Waits until no reservation is open, and no gateway can still be working on one. */
async function untilResolved(setting: Setting, director: Host): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await new Promise<void>((resolve) => director.enter(() => void pause(director, ROUND_MS).then(resolve)));
    if (round >= 4 && (await readPending(setting)).length === 0) return;
  }
}

/** Reads Redis for the judge: no fault of the world applies. */
function readRedis(setting: Setting, words: readonly string[]): Promise<unknown> {
  const { world, redis } = setting;
  const keys = [prefixOf(setting)];
  const call = () => redis.call('simulated_command', keys, [String(world.nowMs()), ...words]);
  return new Promise((resolve) => world.io(call, resolve));
}

const textsOf = (reply: unknown): readonly string[] => (Array.isArray(reply) ? reply.map(String) : []);

const readPending = async (setting: Setting) =>
  textsOf(await readRedis(setting, ['ZRANGE', `${prefixOf(setting)}pending`, '0', '-1']));

async function readFacts(
  setting: Setting,
  executions: Executions,
  answers: readonly TrialAnswer[],
): Promise<TrialFacts> {
  const { world, redis, tables } = setting;
  const prefix = prefixOf(setting);
  const journal = await new Promise<readonly string[]>((resolve) =>
    world.io(() => redis.journal(`${prefix}journal`), resolve),
  );
  const addresses = [...new Set(answers.map(({ wallet }) => wallet))];
  const stored =
    addresses.length === 0
      ? []
      : await readRedis(setting, ['MGET', ...addresses.map((address) => `${prefix}wallet:${address}`)]);
  const wallets = new Map(
    addresses.flatMap((address, index) => {
      const text: unknown = Array.isArray(stored) ? stored[index] : undefined;
      if (typeof text !== 'string') return [];
      const [balance = '', reserved = '', spent = ''] = text.split('|');
      return [[address, { balance: BigInt(balance), reserved: BigInt(reserved), spent: BigInt(spent) }] as const];
    }),
  );
  const retained = new Map(
    [...tables.retained].map(([id, { reservedTrial }]) => [id, reservedTrial?.nonce ?? ''] as const),
  );
  for (const { nonce } of answers)
    world.note(() => `the journal has ${journal.filter((entry) => entry.includes(nonce)).join(' ')}`);
  return {
    grant: GRANT,
    dailyBudget: DAILY_BUDGET,
    journal,
    pending: await readPending(setting),
    wallets,
    retained,
    executions: executions.all.map(({ tag }) => tag),
    answers,
  };
}
