import test, { type ExecutionContext } from 'ava';
import { decodeFunctionData, encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbi, parseGwei } from 'viem';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { waitFor } from '../../../scripts/launch/processes/wait-for.ts';
import { MULTICALL3_ADDRESS } from '../../../services/payments/chain/multicall.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createWallet, type PaymentPayload, signPayment, type Wallet } from '../../helpers/chain.ts';
import { AMOUNT, expectCase, type Payments, present, startPayments } from './harness.ts';
import { CONFIRMATIONS, type OwnPayee, REORGANIZED_BLOCKS, startOwnPayee, WAIT } from './own-payee.ts';
import { openRetainedResults, type RetainedResults } from './retained-results.ts';

const {
  SETTLEMENT_OUTCOME_SETTLED: SETTLED,
  SETTLEMENT_OUTCOME_FAILED,
  SETTLEMENT_OUTCOME_PENDING,
} = SettlementOutcome;
const MULTICALL = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);
const MEMBERS = 3;

let stack: OwnPayee;
let results: RetainedResults;
test.before(async () => {
  stack = await startOwnPayee();
  results = await openRetainedResults(stack.sandbox.databaseUrl);
});
test.after.always(async () => {
  await results?.close();
  await stack?.stop();
});

interface Executed {
  readonly wallet: Wallet;
  readonly payment: PaymentPayload;
  readonly claimId: string;
}

/** Executes payments of new wallets. */
async function execute(count: number, isRetained = false, service: Payments = stack.service()): Promise<Executed[]> {
  const executed: Executed[] = [];
  const validBefore = `${Math.floor(Date.now() / 1000) + 600}`;
  for (let index = 0; index < count; index += 1) {
    const wallet = createWallet();
    await stack.chain.mint(wallet.address, BigInt(AMOUNT));
    const payment = await signPayment(wallet, stack.offer, { validBefore });
    const begun = expectCase(await service.begin(present(payment, { operationTimeoutMs: 1000 })), 'execute');
    if (isRetained) await results.retain(begun);
    executed.push({ wallet, payment, claimId: begun.claimId });
  }
  return executed;
}

const settle = async ({ claimId, payment }: Executed, service: Payments = stack.service()) =>
  (await service.settle(claimId, JSON.stringify(payment))).outcome;
const settleAll = (executed: readonly Executed[], service?: Payments) =>
  Promise.all(executed.map((each) => settle(each, service)));
const resolve = async ({ claimId }: Executed) => (await stack.service().resolve(claimId)).outcome;
const unpaid = ({ wallet }: Executed) => stack.chain.balanceOf(wallet.address);
const allUnpaid = (executed: readonly Executed[]) => Promise.all(executed.map(unpaid));
const all = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** How many payments each waiting transaction has, in the order of their nonces. */
async function waitingSizes(): Promise<number[]> {
  const { pending } = await stack.chain.node.getTxpoolContent();
  return Object.values(pending)
    .flatMap((byNonce) => Object.values(byNonce))
    .toSorted((one, other) => Number(one.nonce) - Number(other.nonce))
    .map(({ to, input }) =>
      to?.toLowerCase() === MULTICALL3_ADDRESS.toLowerCase()
        ? decodeFunctionData({ abi: MULTICALL, data: input }).args[0].length
        : 1,
    );
}

const untilWaiting = (count: number) =>
  waitFor(async () => (await waitingSizes()).reduce((sum, size) => sum + size, 0) === count, WAIT);

async function hold(t: ExecutionContext): Promise<void> {
  await stack.chain.node.setAutomine(false);
  t.teardown(() => release());
}

/** Mines what waits, and everything from now on. */
async function release(): Promise<void> {
  await stack.chain.node.setAutomine(true);
  await stack.chain.node.mine({ blocks: 1 });
}

/**
 * Sends one payment, and the others together while its transaction is not mined. Nothing may be mined before it returns.
 * @returns the outcomes, which come when something is mined
 */
async function sendBatch(t: ExecutionContext, executed: readonly Executed[]) {
  const [first, ...others] = executed;
  const outcomes = [settle(defined(first))];
  t.true(await untilWaiting(1));
  outcomes.push(...others.map((each) => settle(each)));
  t.true(await untilWaiting(executed.length));
  return outcomes;
}

/** Empties a wallet at once, without a transaction. The token has its balances in the second slot. */
async function empty({ address }: Wallet): Promise<void> {
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, 1n]));
  await stack.chain.node.setStorageAt({
    address: stack.offer.asset as Hex,
    index: slot,
    value: numberToHex(0, { size: 32 }),
  });
}

test.serial(
  'payments that come while a transaction is not mined are sent together, and one that reverts fails alone',
  async (t) => {
    const executed = await execute(1 + MEMBERS);
    await hold(t);
    const outcomes = await sendBatch(t, executed);
    t.true((await waitingSizes()).length < executed.length, 'at least two are in one transaction');
    const reverting = defined(executed.at(-1));
    await empty(reverting.wallet);
    await release();
    t.deepEqual(await Promise.all(outcomes), [...all(MEMBERS, SETTLED), SETTLEMENT_OUTCOME_FAILED]);
    t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, 0n));
  },
);

test.serial('two copies send batches at the same time, and every payment is charged once', async (t) => {
  const other = await startPayments({ env: stack.env });
  t.teardown(other.kill);
  const executed = await execute(8);
  await hold(t);
  const settling = [
    ...executed.slice(0, 4).map((each) => settle(each)),
    ...executed.slice(4).map((each) => settle(each, other)),
  ];
  t.true(await untilWaiting(executed.length));
  t.true((await waitingSizes()).length < executed.length);
  await release();
  t.deepEqual(await Promise.all(settling), all(executed.length, SETTLED));
  t.deepEqual(await allUnpaid(executed), all(executed.length, 0n));
});

test.serial('a batch that another claim had replaced is on its way for all of its claims', async (t) => {
  const executed = await execute(1 + MEMBERS);
  await hold(t);
  const outcomes = await Promise.all(await sendBatch(t, executed));
  t.deepEqual(outcomes, all(1 + MEMBERS, SETTLEMENT_OUTCOME_PENDING), 'nothing is mined in time');
  const sizes = await waitingSizes();
  // Now every transaction offers too little, and anvil keeps them.
  await stack.chain.node.setBlockGasLimit({ gasLimit: 1000n });
  await stack.chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('7') });
  await stack.chain.node.mine({ blocks: 1 });
  await stack.chain.node.setBlockGasLimit({ gasLimit: 30_000_000n });
  for (const each of executed) t.is(await resolve(each), SETTLEMENT_OUTCOME_PENDING);
  for (const each of executed) {
    const answer = await stack.service().begin(present(each.payment, { operationTimeoutMs: 1000 }));
    t.is(answer.outcome?.$case, 'refuse', 'it is not sent again');
  }
  t.deepEqual(await waitingSizes(), sizes);
  await stack.chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('7') });
  await release();
  for (const each of executed) t.is(await resolve(each), SETTLED);
  t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, 0n));
  await stack.chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') });
});

/** Executes payments with a process that dies at a step of their settlement in a batch. */
async function crashAt(t: ExecutionContext, killAt: string, killAtTime: number): Promise<readonly Executed[]> {
  const doomed = await startPayments({ env: stack.env, killAt, killAtTime });
  t.teardown(doomed.kill);
  const executed = await execute(1 + MEMBERS, false, doomed);
  await hold(t);
  const [first, ...others] = executed;
  const died: Promise<unknown>[] = [Promise.allSettled([settle(defined(first), doomed)])];
  t.true(await untilWaiting(1));
  died.push(Promise.allSettled(others.map((each) => settle(each, doomed))));
  if (killAt === 'settle.mined') {
    t.true(await untilWaiting(executed.length));
    await release();
  }
  await Promise.all([doomed.exited, ...died]);
  await release();
  return executed;
}

test.serial('after a crash at any step of a batch, every payment is charged once', async (t) => {
  // The first payment passes a step alone, and the others pass it as a batch.
  const executed = [
    ...(await crashAt(t, 'settle.noted', 2)),
    ...(await crashAt(t, 'settle.sent', 2)),
    ...(await crashAt(t, 'settle.mined', 1)),
  ];
  t.deepEqual(await settleAll(executed), all(executed.length, SETTLED));
  t.deepEqual(await allUnpaid(executed), all(executed.length, 0n));
});

test.serial('a batch that a reorganization removes is sent again, and every payment is charged once', async (t) => {
  const executed = await execute(1 + MEMBERS, true);
  // A reorganization of the settlements leaves the funds.
  await stack.chain.node.mine({ blocks: REORGANIZED_BLOCKS });
  await hold(t);
  const outcomes = await sendBatch(t, executed);
  await release();
  t.deepEqual(await Promise.all(outcomes), all(1 + MEMBERS, SETTLED));
  await stack.chain.node.mine({ blocks: 3 });
  for (const { claimId } of executed) {
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
  }
  await stack.service().kill();
  await stack.chain.reorganize(REORGANIZED_BLOCKS);
  t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, BigInt(AMOUNT)), 'the money is back');
  await stack.restart();
  t.true(await waitFor(async () => (await allUnpaid(executed)).every((left) => left === 0n), WAIT));
  for (const { claimId } of executed) {
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
  }
  await stack.chain.node.mine({ blocks: CONFIRMATIONS });
  for (const { claimId } of executed) {
    t.true(await stack.untilClaim(claimId, ({ finalized_at }) => finalized_at !== null));
  }
});
