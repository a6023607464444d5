import { createClaimChannels } from '../../../../services/backoffice/channels/claim-channels.ts';
import { createResolveRefunds } from '../../../../services/backoffice/channels/resolve-refunds.ts';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { createChannelHasher } from '../../../../services/payments/contract/channel-ids.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { createChannelContract } from '../chain/channel-contract.ts';
import { createChannelClient } from '../clients/channel-client.ts';
import { pause } from '../clients/http.ts';
import { createWallet } from '../clients/wallet.ts';
import { drawClock } from '../engine/faults.ts';
import { createHost, type Host } from '../engine/host.ts';
import { createMachine, type Handlers, type Machine } from '../engine/machine.ts';
import { createNetwork } from '../engine/network.ts';
import { Violation } from '../engine/world.ts';
import type { ChannelAnswer } from '../model/channel-facts.ts';
import { judgeChannels } from '../model/channel-model.ts';
import { openSimulatedPool } from '../postgres/simulated-pool.ts';
import { openSimulatedTables } from '../postgres/simulated-tables.ts';
import { type ChangeService, createChannelService, createChannelsCalls, serveChannels } from '../processes/channels.ts';
import { startGateway } from '../processes/gateway.ts';
import { createSimulatedLocks, openLedger, serveLedger, serveRetained, voucherCipher } from '../processes/ledger.ts';
import { createOperation, type Executions } from '../processes/operation.ts';
import { logger, repeat } from '../processes/setting.ts';
import { readChannelFacts } from './ledger-facts.ts';
import { type LedgerSetting, NETWORK } from './ledger-world.ts';

export const CHANNEL_STEPS = [
  'reserve.before',
  'reserve.after',
  'execute.before',
  'execute.after',
  'post.before',
  'post.after',
  'deposit.before',
  'deposit.after',
] as const;

const PRICE = 14_000n;
const RIGHT_CLOCK = { offsetMs: 0, drift: 0 };
const TERMS = createTerms({
  network: NETWORK,
  payTo: '0x00000000000000000000000000000000000000aa',
  sandbox: true,
});
const CHANNELS = {
  offered: true,
  receiverAuthorizer: '0x00000000000000000000000000000000000000bb',
  withdrawDelaySeconds: 900,
  minDeposit: `${PRICE}`,
  contract: '0x00000000000000000000000000000000000000cc',
  chainId: BigInt(TERMS.chainId),
};
const NO_TRIALS = { grantMicroUsd: 50_000n, dailyBudgetMicroUsd: 1_000_000n, grantsPerScope: 0, failuresPerHour: 0 };
/** Soon, so that worlds claim while calls are under way. */
const LIMITS = { afterSeconds: 15, aboveMicroUsd: 3n * PRICE };
const LATEST_JUMP_MS = 60_000;
const WORK_EVERY_MS = 8000;
/** Nothing but a withdrawal is waited for. */
const REST_EVERY_MS = 30_000;
const ROUND_MS = 15_000;
const MAX_ROUNDS = 40;

export interface ChannelSetting extends LedgerSetting {
  /** Plants a fault into the payments service. */
  readonly changeService?: ChangeService | undefined;
}

/** Runs channels through gateways until nothing is open, and judges what is left. @throws {Violation} */
export async function runChannels(setting: ChannelSetting, machines: Machine[]): Promise<void> {
  const { world, faults, database, changeService = (service) => service } = setting;
  const { random } = world;
  const network = createNetwork(world, faults);
  const executions: Executions = { all: [] };
  const operation = createOperation(executions, PRICE);
  const contract = createChannelContract(world);
  const locksOf = createSimulatedLocks(world);
  const drawJump = () => ({
    atMs: world.nowMs() + random.between(0, LATEST_JUMP_MS),
    byMs: random.pick([-1, 1]) * random.pick([5000, 60_000, 3_600_000]),
  });
  const everyMs = () => (faults.isOn ? WORK_EVERY_MS : REST_EVERY_MS);
  const addMachine = (name: string, boot: (host: Host, machine: Machine) => Promise<Handlers>) => {
    const machine: Machine = createMachine({
      world,
      name,
      clock: {
        ...drawClock(random, faults),
        ...(faults.wrongClocks && random.chance(0.3) && { jump: drawJump() }),
      },
      faults,
      boot: (host) => boot(host, machine),
    });
    machines.push(machine);
    return machine;
  };
  const payments = addMachine('payments', async (host, machine) => {
    const tables = openSimulatedTables({ host, machine, database, network, faults });
    const service = createChannelService({
      host,
      contract,
      database: tables,
      network: NETWORK,
      hasher: createChannelHasher(CHANNELS),
    });
    return serveChannels(changeService(service, contract));
  });
  const bootBackoffice = async (host: Host, machine: Machine, hasWork: boolean) => {
    const options = { host, machine, database, network, faults };
    const pool = openSimulatedPool(options);
    const tables = openSimulatedTables(options);
    const { handlers, ledger } = serveLedger(pool, { network: NETWORK, terms: NO_TRIALS });
    const served = { ...handlers, ...serveRetained(pool) };
    if (!hasWork) return served;
    const vouchers = createVouchers({ database: tables, network: NETWORK });
    const shared = {
      database: tables,
      network: NETWORK,
      ledger,
      vouchers,
      cipher: voucherCipher,
      channels: createChannelsCalls(network, host, payments),
      limits: LIMITS,
      logger,
    };
    repeat(host, everyMs, () => ledger.sweep({ graceMs: 5000, limit: 100 }));
    repeat(host, everyMs, createClaimChannels(shared));
    repeat(host, everyMs, createWatchChannels(shared));
    repeat(host, everyMs, createResolveRefunds(shared));
    return served;
  };
  // Locks leave the recurring work to one of them.
  const backoffices = [
    addMachine('backoffice-a', (host, machine) => bootBackoffice(host, machine, true)),
    addMachine('backoffice-b', (host, machine) => bootBackoffice(host, machine, false)),
  ] as const;
  const boot = (host: Host) =>
    startGateway({ network, caip2: NETWORK }, host, {
      operation,
      terms: TERMS,
      ledger: openLedger({ network, host, to: () => random.pick(backoffices) }, locksOf(host)),
      backoffice: random.pick(backoffices),
      payments: [payments],
      channels: CHANNELS,
    });
  const gateways = [addMachine('gateway-a', boot), addMachine('gateway-b', boot)] as const;
  for (const machine of machines) machine.start();

  const answers: ChannelAnswer[] = [];
  const seller = { payTo: TERMS.payTo, asset: TERMS.asset, channels: CHANNELS };
  const clients = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (_, index) => {
    const name = `client-${index + 1}`;
    const host = createHost(world, name, RIGHT_CLOCK);
    const wallet = createWallet(random);
    const actions = random.between(2, 7);
    const options = { host, network, gateways, wallet, seller, contract, price: PRICE, actions, name, answers };
    return { host, client: createChannelClient(options) };
  });
  const inside = (host: Host, work: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      host.enter(() => void work().then(resolve, reject));
    });
  await Promise.all(clients.map(({ host, client }) => inside(host, client.run)));

  faults.isOn = false;
  world.note(() => 'the faults end');
  const director = createHost(world, 'director', RIGHT_CLOCK);
  const read = () => {
    const pool = openSimulatedPool({ host: director, machine: undefined, database, network, faults });
    return readChannelFacts({ pool, network: NETWORK });
  };
  /** Waits until nothing is open, and all but the latest call of each channel is claimed. */
  const settle = async () => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await pause(director, ROUND_MS);
      // No gateway can still be working on one.
      if (round < 2 || !contract.isQuiet()) continue;
      const { open, charged } = await read();
      const claimedOf = (id: string) => contract.facts().channels.get(id)?.claimed ?? 0n;
      const isClaimed = [...charged].every(([id, amount]) => claimedOf(id) + PRICE >= amount);
      if (open.length === 0 && isClaimed) return;
    }
  };
  await inside(director, settle);
  let charged: ReadonlyMap<string, bigint> = new Map();
  await inside(director, async () => {
    charged = (await read()).charged;
  });
  await Promise.all(
    clients.map(({ host, client }) => inside(host, () => client.repeat(charged.get(client.channelId) ?? 0n))),
  );
  await inside(director, async () => {
    await settle();
    const problems = judgeChannels({
      ...(await read()),
      price: PRICE,
      signed: new Map(clients.map(({ client }) => [client.channelId, client.signed()])),
      contract: contract.facts(),
      executions: executions.all,
      hasStalls: [...world.counts.keys()].some((what) => what.startsWith('stall at')),
      hasDoubles: world.counts.has('fault: doubled message'),
      answers,
    });
    if (problems.length > 0) throw new Violation(problems.join('\n'));
  });
}
