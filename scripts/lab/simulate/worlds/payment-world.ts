import { createTerms, type Terms } from '../../../../services/payments/payment/terms.ts';
import { type Blocks, createBlocks } from '../chain/blocks.ts';
import { createNode } from '../chain/node.ts';
import { pause } from '../clients/http.ts';
import {
  type PaymentClientOptions,
  presentLast,
  runPaymentClient,
  type SentPayment,
} from '../clients/payment-client.ts';
import { createWallet, type Wallet } from '../clients/wallet.ts';
import { drawClock } from '../engine/faults.ts';
import { createHost, type Host } from '../engine/host.ts';
import { createMachine, type Handlers, type Machine } from '../engine/machine.ts';
import { createNetwork, type Network } from '../engine/network.ts';
import { Violation, type World } from '../engine/world.ts';
import type { CanonicalTransfer, PaymentFacts } from '../model/payment-facts.ts';
import { judgePayments } from '../model/payment-model.ts';
import { openSimulatedPool } from '../postgres/simulated-pool.ts';
import { startGateway } from '../processes/gateway.ts';
import { createSimulatedLocks, openLedger, serveLedger, serveRetained } from '../processes/ledger.ts';
import { createOperation, type Executions, OPERATION_TIMEOUT_MS } from '../processes/operation.ts';
import {
  type ChangeChain,
  type ChangeClaims,
  CONFIRMATIONS,
  LEASE_MARGIN_MS,
  SIGNER_ADDRESS,
  startPayments,
} from '../processes/payments.ts';
import { createSimulatedSignerLock } from '../processes/simulated-signer-lock.ts';
import { readPaymentFacts } from './ledger-facts.ts';
import { type LedgerSetting, NETWORK } from './ledger-world.ts';

export const PAYMENT_STEPS = [
  'verify.before',
  'verify.after',
  'claim.before',
  'claim.after',
  'execute.before',
  'execute.after',
  'keep.before',
  'keep.after',
  'settle.before',
  'settle.noted',
  'settle.sent',
  'settle.mined',
  'settle.after',
] as const;

const AMOUNT = 14_000n;
const RIGHT_CLOCK = { offsetMs: 0, drift: 0 };
const PAY_TO = '0x00000000000000000000000000000000000000Aa';

/** No payment needs one. */
const TRIALS = { grantMicroUsd: 50_000n, dailyBudgetMicroUsd: 1_000_000n, grantsPerScope: 0, failuresPerHour: 0 };

export interface PaymentSetting extends LedgerSetting {
  /** Plants a fault into what the payments service sees of the chain. */
  readonly changeChain?: ChangeChain | undefined;
  /** Plants a fault into how it uses its claims. */
  readonly changeClaims?: ChangeClaims | undefined;
}

interface PaymentWorld {
  readonly setting: PaymentSetting;
  readonly network: Network;
  readonly terms: Terms;
  readonly blocks: Blocks;
  /** What each payer has in the beginning. */
  readonly fund: ReadonlyMap<string, bigint>;
  readonly sent: SentPayment[];
  readonly machines: Machine[];
  readonly executions: Executions;
  /** When the database crashed. */
  readonly crashesMs: number[];
}

/** Runs payments in a world until nothing is open, and judges what is left. @throws {Violation} */
export async function runPayments(setting: PaymentSetting, machines: Machine[]): Promise<void> {
  const { world, faults } = setting;
  const { random } = world;
  const network = createNetwork(world, faults);
  const terms = createTerms({ network: NETWORK, payTo: PAY_TO, sandbox: false });
  // A crowd pays at the same time, so that settlements are sent in batches.
  const isCrowd = random.chance(0.1);
  const wallets = Array.from({ length: isCrowd ? 6 : drawCount(random) }, () => createWallet(random));
  // A hasty payer pays for two calls at the same time, and has money for one.
  const hasty = new Set(wallets.filter(() => random.chance(0.15)));
  const fundOf = (wallet: Wallet) => AMOUNT * (hasty.has(wallet) ? 1n : BigInt(random.between(1, 4)));
  const fund = new Map(wallets.map((wallet) => [wallet.address.toLowerCase(), fundOf(wallet)]));
  const blocks = createBlocks({ startMs: world.nowMs(), random, fund });
  const sent: SentPayment[] = [];
  const executions: Executions = { all: [] };
  const crashesMs: number[] = [];
  setting.database.onCrash(() => crashesMs.push(world.nowMs()));
  const paymentWorld = { setting, network, terms, blocks, fund, sent, machines, executions, crashesMs };
  const gateways = startMachines(paymentWorld);

  const clients = wallets.map((wallet, index): PaymentClientOptions => {
    const name = `payer-${index + 1}`;
    const host = createHost(world, name, RIGHT_CLOCK);
    return {
      host,
      network,
      gateways,
      wallet,
      terms,
      amount: AMOUNT,
      blocks,
      requests: hasty.has(wallet) ? 2 : isCrowd ? 1 : random.between(1, 2),
      isHasty: hasty.has(wallet),
      pauseMs: isCrowd || hasty.has(wallet) ? 20 : 4000,
      name,
      sent,
    };
  });
  disturbChain(setting, blocks);
  await Promise.all(clients.map((client) => inHost(client.host, () => runPaymentClient(client))));

  faults.isOn = false;
  world.note(() => 'the faults end');
  const director = createHost(world, 'director', RIGHT_CLOCK);
  // Nobody may depend on a payer who asks again.
  const isLeftOpen = !(await inHost(director, () => untilClosed(paymentWorld, director)));
  if (isLeftOpen) throw new Violation('a claim is open for ever, unless its payer asks again');
  for (const client of clients) {
    const own = sent.filter(({ facts }) => facts.payer === client.wallet.address.toLowerCase());
    for (const payment of own) await inHost(client.host, () => presentLast(client, payment));
  }
  await inHost(director, async () => {
    // The last requests may have settled payments that were never settled before.
    await untilClosed(paymentWorld, director);
    const problems = judgePayments(await readFacts(paymentWorld, director));
    if (problems.length > 0) throw new Violation(problems.join('\n'));
  });
}

const drawCount = (random: World['random']) => (random.chance(0.2) ? 2 : 1);

function startMachines({ setting, network, terms, blocks, machines, executions }: PaymentWorld) {
  const { world, faults, database, changeChain, changeClaims } = setting;
  const { random } = world;
  const operation = createOperation(executions, AMOUNT);
  const node = createNode({ ...terms, blocks, sender: SIGNER_ADDRESS, random, faults, nowMs: world.nowMs });
  const lockOf = createSimulatedSignerLock({ world, faults, database });
  const locksOf = createSimulatedLocks(world);
  const addMachine = (name: string, boot: (host: Host, machine: Machine) => Promise<Handlers>): Machine => {
    const machine: Machine = createMachine({
      world,
      name,
      clock: drawClock(random, faults),
      faults,
      boot: (host) => boot(host, machine),
    });
    machines.push(machine);
    return machine;
  };
  const bootPayments = (follows: 'finality' | 'open claims') => (host: Host, machine: Machine) =>
    startPayments({
      ...{ host, machine, database, network, faults, terms, node, follows, changeChain, changeClaims },
      lock: lockOf(host),
    });
  const payments = [
    addMachine('payments-a', bootPayments('finality')),
    addMachine('payments-b', bootPayments('open claims')),
  ] as const;
  const backoffice = addMachine('backoffice', async (host, machine) => {
    const pool = openSimulatedPool({ host, machine, database, network, faults });
    return { ...serveLedger(pool, { network: NETWORK, terms: TRIALS }).handlers, ...serveRetained(pool) };
  });
  const boot = (host: Host) => {
    const ledger = openLedger({ network, host, to: () => backoffice }, locksOf(host));
    return startGateway({ network, caip2: NETWORK }, host, { operation, terms, ledger, backoffice, payments });
  };
  const gateways = [addMachine('gateway-a', boot), addMachine('gateway-b', boot)] as const;
  for (const machine of machines) machine.start();
  return gateways;
}

const inHost = <Result>(host: Host, work: () => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    host.enter(() => void work().then(resolve, reject));
  });

const DISTURB_EVERY_MS = 3000;

type Disturbance = (world: World, blocks: Blocks) => void;

const DISTURBANCES: readonly Disturbance[] = [
  function reorganize(world, blocks) {
    // Never as deep as the block that counts as final.
    const depth = world.random.between(1, CONFIRMATIONS - 1);
    world.note(() => `the last ${depth} blocks are reorganized`);
    world.count('fault: reorganization');
    blocks.reorganize(depth, () => world.random.chance(0.7));
  },
  function raiseFees(world, blocks) {
    world.note(() => 'fees rise');
    world.count('fault: high fees');
    blocks.raiseFee(world.nowMs() + world.random.between(4000, 30_000));
  },
  function forget(world, blocks) {
    const waiting = blocks.waiting(SIGNER_ADDRESS, blocks.transactionCount(SIGNER_ADDRESS, false));
    if (waiting === undefined) return;
    world.note(() => `the pool forgets ${waiting.hash}`);
    world.count('fault: forgotten transaction');
    blocks.drop(waiting.hash);
  },
];

/** Reorganizations that never reach a final block, forgotten transactions, and fees that rise. */
function disturbChain({ world, faults }: PaymentSetting, blocks: Blocks): void {
  const { random } = world;
  const isWild = faults.lost > 0 || faults.late > 0;
  const disturb = () => {
    if (!faults.isOn || !isWild) return;
    blocks.advance(world.nowMs());
    DISTURBANCES[random.below(12)]?.(world, blocks);
    world.at(world.nowMs() + DISTURB_EVERY_MS, disturb);
  };
  world.at(world.nowMs() + DISTURB_EVERY_MS, disturb);
}

const ROUND_MS = 10_000;
const MOST_ROUNDS = 60;

const isClosed = ({ claims }: Pick<PaymentFacts, 'claims'>) =>
  claims.every(
    ({ outcome, isFinal, isFinalized, isLost, isOwed }) =>
      !isOwed && ((outcome === 'failed' && isFinal) || (outcome === 'settled' && (isFinalized || isLost))),
  );

/** What is stored. The director opens a pool for each look, so that it needs no old connection. */
function readStored({ setting, network }: PaymentWorld, host: Host) {
  const { database, faults } = setting;
  const pool = openSimulatedPool({ host, machine: undefined, database, network, faults });
  return readPaymentFacts({ pool, network: NETWORK });
}

/** Waits until every claim is final and every process runs. @returns whether that came */
async function untilClosed(world: PaymentWorld, director: Host): Promise<boolean> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await pause(director, ROUND_MS);
    // A process that is still stopped could not answer the last requests.
    const areRunning = world.machines.every((machine) => machine.host()?.isStalled() !== true);
    if (round >= 2 && areRunning && isClosed(await readStored(world, director))) return true;
  }
  return false;
}

async function readFacts(world: PaymentWorld, director: Host): Promise<PaymentFacts> {
  const { setting, terms, blocks, fund: funds, sent, executions, crashesMs } = world;
  const stored = await readStored(world, director);
  blocks.advance(setting.world.nowMs());
  const { count } = setting.world;
  const batches = blocks.all().flatMap(({ transactions }) => transactions.filter(({ calls }) => calls.length > 1));
  if (batches.length > 0) count('settlement: batch');
  for (const { outcome, isFinalized, isLost } of stored.claims) {
    count(`claim: ${outcome}${isFinalized ? ' final' : ''}${isLost ? ' lost' : ''}`);
  }
  const payments = sent.map(({ facts }) => facts);
  return {
    ...stored,
    payTo: terms.payTo.toLowerCase(),
    payments,
    transfers: transfersOf(blocks),
    funds,
    executions: executions.all,
    leaseMs: OPERATION_TIMEOUT_MS + LEASE_MARGIN_MS,
    crashesMs,
    isReorganized: setting.world.counts.has('fault: reorganization'),
  };
}

const transfersOf = (blocks: Blocks): readonly CanonicalTransfer[] =>
  blocks.all().flatMap(({ atMs: minedMs, transactions }) =>
    transactions.flatMap(({ hash: transaction, effects }) =>
      effects.flatMap((effect) => {
        if (effect.kind !== 'transferWithAuthorization') return [];
        const { from, to, nonce, value } = effect;
        return [{ payer: from.toLowerCase(), nonce, to: to.toLowerCase(), value, transaction, minedMs }];
      }),
    ),
  );
