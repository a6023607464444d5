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
import { createWallet } from '../clients/wallet.ts';
import { drawClock } from '../engine/faults.ts';
import { createHost, type Host } from '../engine/host.ts';
import { createMachine, type Handlers, type Machine } from '../engine/machine.ts';
import { Violation, type World } from '../engine/world.ts';
import type { PaymentFacts } from '../model/payment-facts.ts';
import { judgePayments } from '../model/payment-model.ts';
import { startBackoffice } from '../processes/backoffice.ts';
import { createPaymentsCalls } from '../processes/clients.ts';
import { startGateway } from '../processes/gateway.ts';
import { closedLedger } from '../processes/ledger.ts';
import { createOperation, type Executions } from '../processes/operation.ts';
import { CONFIRMATIONS, SIGNER_ADDRESS, startPayments } from '../processes/payments.ts';
import type { Plant } from '../processes/plants.ts';
import type { Setting } from '../processes/setting.ts';

export const PAYMENT_STEPS = [
  'verify.before',
  'verify.after',
  'claim.before',
  'claim.after',
  'execute.before',
  'execute.after',
  'retain.before',
  'retain.after',
  'settle.before',
  'settle.noted',
  'settle.sent',
  'settle.mined',
  'settle.after',
] as const;

const AMOUNT = 14_000n;
const RIGHT_CLOCK = { offsetMs: 0, drift: 0 };
const RESOLVE_TIMEOUT_MS = 10_000;
const PAY_TO = '0x00000000000000000000000000000000000000Aa';

interface PaymentWorld {
  readonly setting: Setting;
  readonly terms: Terms;
  readonly blocks: Blocks;
  readonly sent: SentPayment[];
  readonly machines: readonly Machine[];
}

/** Runs payments in a world until nothing is open, and judges what is left. @throws {Violation} */
export async function runPayments(setting: Setting, machines: Machine[], plant: Plant): Promise<void> {
  const { world, faults, caip2 } = setting;
  const { random } = world;
  const chainId = Number(caip2.slice('eip155:'.length));
  const sandbox = createTerms({ network: 'eip155:31337', payTo: PAY_TO, sandbox: false });
  const terms: Terms = { ...sandbox, network: caip2, chainId };
  // A crowd pays at the same time, so that settlements are sent in batches.
  const isCrowd = random.chance(0.1);
  const wallets = Array.from({ length: isCrowd ? 6 : drawCount(random) }, () => createWallet(random));
  const fund = new Map(wallets.map(({ address }) => [address.toLowerCase(), AMOUNT * BigInt(random.between(1, 4))]));
  const blocks = createBlocks({ startMs: world.nowMs(), random, fund });
  const node = createNode({ ...terms, blocks, sender: SIGNER_ADDRESS, random, faults, nowMs: world.nowMs });
  const gateways = startMachines(setting, machines, { terms, node, plant });

  const sent: SentPayment[] = [];
  const clients = wallets.map((wallet, index): PaymentClientOptions => {
    const name = `payer-${index + 1}`;
    const host = createHost(world, name, RIGHT_CLOCK);
    const { network } = setting;
    return {
      host,
      network,
      gateways,
      wallet,
      terms,
      amount: AMOUNT,
      blocks,
      requests: isCrowd ? 1 : random.between(1, 2),
      pauseMs: isCrowd ? 20 : 4000,
      name,
      sent,
    };
  });
  disturbChain(setting, blocks);
  await Promise.all(clients.map((client) => inHost(client.host, () => runPaymentClient(client))));

  faults.isOn = false;
  world.note(() => 'the faults end');
  const paymentWorld = { setting, terms, blocks, sent, machines };
  const director = createHost(world, 'director', RIGHT_CLOCK);
  await untilClosed(paymentWorld, director);
  for (const client of clients) {
    const own = sent.filter(({ facts }) => facts.payer === client.wallet.address.toLowerCase());
    for (const payment of own) await inHost(client.host, () => presentLast(client, payment));
  }
  // The last requests may have settled payments that were never settled before.
  await untilClosed(paymentWorld, director);
  const problems = judgePayments(readFacts(paymentWorld));
  if (problems.length > 0) throw new Violation(problems.join('\n'));
}

const drawCount = (random: World['random']) => (random.chance(0.2) ? 2 : 1);

interface Parts {
  readonly terms: Terms;
  readonly node: ReturnType<typeof createNode>;
  readonly plant: Plant;
}

function startMachines(setting: Setting, machines: Machine[], { terms, node, plant }: Parts) {
  const { world, faults, network } = setting;
  const { random } = world;
  const executions: Executions = { all: [] };
  const operation = createOperation(executions, AMOUNT);
  const machine = (name: string, boot: (host: Host) => Promise<Handlers>): Machine => {
    const created = createMachine({ world, name, clock: drawClock(random, faults), faults, boot });
    machines.push(created);
    return created;
  };
  const payments = [
    machine('payments-a', (host) => startPayments(setting, host, { terms, node, follows: true, plant })),
    machine('payments-b', (host) => startPayments(setting, host, { terms, node, follows: false, plant })),
  ] as const;
  const backoffice = machine('backoffice', (host) =>
    startBackoffice(setting, host, {
      async resolveClaim(from, claimId) {
        const calls = createPaymentsCalls(network, from, payments);
        return (await calls.resolve(claimId, { timeoutMs: RESOLVE_TIMEOUT_MS })).outcome;
      },
    }),
  );
  const boot = (host: Host) =>
    startGateway(setting, host, { operation, terms, ledger: closedLedger, backoffice, payments });
  const gateways = [machine('gateway-a', boot), machine('gateway-b', boot)] as const;
  for (const each of machines) each.start();
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
function disturbChain({ world, faults }: Setting, blocks: Blocks): void {
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

const isClosed = ({ setting: { tables } }: PaymentWorld) =>
  tables.obligations.size === 0 &&
  [...tables.claims.values()].every(
    ({ outcome, isFinalized, lostReason }) =>
      (outcome?.state === 'failed' && outcome.final) ||
      (outcome?.state === 'settled' && (isFinalized || lostReason !== undefined)),
  );

/** Waits until every claim is final and every process runs. A claim that never becomes final is a fault that the model reports. */
async function untilClosed(world: PaymentWorld, director: Host): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await inHost(director, () => pause(director, ROUND_MS));
    // A process that is still stopped could not answer the last requests.
    const areRunning = world.machines.every((machine) => machine.host()?.isStalled() !== true);
    if (round >= 2 && areRunning && isClosed(world)) return;
  }
}

function readFacts({ setting: { world, tables }, terms, blocks, sent }: PaymentWorld): PaymentFacts {
  blocks.advance(world.nowMs());
  const claims = [...tables.claims.values()].map((row) => ({
    claimId: row.claimId,
    payer: row.payer.toLowerCase(),
    nonce: row.nonce,
    outcome: row.outcome?.state,
    isFinal: row.outcome?.state === 'failed' && row.outcome.final,
    isFinalized: row.isFinalized,
    isLost: row.lostReason !== undefined,
    body: tables.retained.get(row.claimId)?.responseBody.toString() ?? '',
  }));
  const transfers = blocks.all().flatMap(({ transactions }) =>
    transactions.flatMap(({ hash, effects }) =>
      effects.flatMap((effect) =>
        effect.kind === 'transferWithAuthorization'
          ? [
              {
                payer: effect.from.toLowerCase(),
                nonce: effect.nonce,
                to: effect.to.toLowerCase(),
                value: effect.value,
                transaction: hash,
              },
            ]
          : [],
      ),
    ),
  );
  const batches = blocks.all().flatMap(({ transactions }) => transactions.filter(({ calls }) => calls.length > 1));
  if (batches.length > 0) world.count('settlement: batch');
  for (const { outcome, isFinalized, isLost } of claims) {
    world.count(`claim: ${outcome}${isFinalized ? ' final' : ''}${isLost ? ' lost' : ''}`);
  }
  const payments = sent.map(({ facts }) => facts);
  return { payTo: terms.payTo.toLowerCase(), payments, claims, transfers, obligations: [...tables.obligations.keys()] };
}
