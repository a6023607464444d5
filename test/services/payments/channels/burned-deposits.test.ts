import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { encodeFunctionData, type Hex } from 'viem';
import { COLLECTOR } from '../../../../services/payments/channels/addresses.ts';
import { SETTLEMENT_ABI } from '../../../../services/payments/channels/settlement-abi.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { ACCEPTING, BURNING } from '../burning-code.ts';
import { CONFIRMATIONS, countedFor, useChannelStack } from './channel-stack.ts';
import { MIN_DEPOSIT, newDeposit, type SignedDeposit, timed } from './channel-wire.ts';

const { stack, service } = await useChannelStack();

const { node } = stack.chain;
const FAILED = 'invalid_batch_settlement_evm_deposit_transaction_failed';
const TOO_LATE = 'invalid_batch_settlement_evm_payload_authorization_valid_before';

/** The same deposit with another validity: a payer with code says yes to it. */
function valid(made: SignedDeposit, validBefore: bigint): SignedDeposit {
  const payment = JSON.parse(made.request.paymentJson);
  payment.payload.deposit.authorization.erc3009Authorization.validBefore = `${validBefore}`;
  return { ...made, request: { ...made.request, paymentJson: JSON.stringify(payment) } };
}

/**
 * Makes a deposit whose payer burns the gas of its transaction. The service sees that together with what comes then.
 * @returns why it was refused
 */
async function burn(t: ExecutionContext, payer: Hex, { request }: SignedDeposit, then: () => Promise<unknown>) {
  await node.setCode({ address: payer, bytecode: ACCEPTING });
  const release = await stack.hold(t);
  const answer = service.channels.deposit(request, timed);
  await stack.untilHeld(1);
  process.kill(service.pid, 'SIGSTOP');
  try {
    await node.setCode({ address: payer, bytecode: BURNING });
    await release();
    if ((await node.getTxpoolStatus()).pending > 0) await node.mine({ blocks: 1 });
    await then();
    await node.mine({ blocks: 2 * CONFIRMATIONS });
  } finally {
    process.kill(service.pid, 'SIGCONT');
  }
  return (await stack.whileMining(() => answer)).outcome?.value;
}

/** The gas that the transactions of a deposit used. */
async function usedBy(id: string): Promise<bigint> {
  const { transactions } = defined(await stack.transactionOf(id));
  const receipts = await Promise.all(transactions.map((hash) => node.getTransactionReceipt({ hash: hash as Hex })));
  return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}

test.serial('a deposit that burned its gas stays counted and is not sent again, also after its time', async (t) => {
  const channel = await stack.newFunded();
  const payer = channel.payer.address;
  const start = await stack.nowS();
  const made = valid(await newDeposit(channel, { signer: createWallet() }), start + 60n);
  const answer = await burn(t, payer, made, () => node.setNextBlockTimestamp({ timestamp: start + 61n }));
  t.is(answer, FAILED);
  await node.setCode({ address: payer, bytecode: ACCEPTING });
  const repeated = await service.channels.deposit(valid(made, start + 1000n).request, timed);
  t.is(repeated.outcome?.value, FAILED);
  t.is((await stack.transactionOf(made.id))?.transactions.length, 1);
  const used = await usedBy(made.id);
  t.true(used > 100_000n);
  t.deepEqual(await countedFor(stack, made.id), { [payer.toLowerCase()]: used, code: used });
});

test.serial(
  'a deposit that succeeds gives back nothing of its earlier transaction that was mined too late',
  async (t) => {
    const channel = await stack.newFunded();
    const payer = channel.payer.address;
    await node.setCode({ address: payer, bytecode: ACCEPTING });
    const start = await stack.nowS();
    const made = valid(await newDeposit(channel, { signer: createWallet() }), start + 60n);
    const release = await stack.hold(t);
    const answer = service.channels.deposit(made.request, timed);
    await stack.untilHeld(1);
    const [once] = Object.values(await countedFor(stack, made.id));
    await node.setNextBlockTimestamp({ timestamp: start + 61n });
    for (let blocks = 0; blocks < 2 * CONFIRMATIONS; blocks += 1) {
      // No transaction offers so much.
      await node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 13n });
      await node.mine({ blocks: 1 });
    }
    t.is((await answer).outcome?.value, TOO_LATE);
    await node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 6n });
    await release();
    // The node has dropped it meanwhile, and another one has not.
    const { signed } = defined(await stack.transactionOf(made.id));
    await node.sendRawTransaction({ serializedTransaction: defined(signed) as Hex });
    t.true((await usedBy(made.id)) > 0n);
    // The service reads the fees from time to time.
    const { request } = valid(made, start + 1000n);
    const { outcome } = await stack.whileMining(() => until(() => service.channels.deposit(request, timed)));
    t.is(outcome?.$case, 'deposited');
    const { code, ...own } = await countedFor(stack, made.id);
    t.is(code, once);
    const sent = defined(await stack.transactionOf(made.id)).transactions.map((hash) => ({ hash: hash as Hex }));
    const limits = await Promise.all(sent.map(async (each) => (await node.getTransaction(each)).gas));
    t.deepEqual([limits.length, limits[0]], [2, once]);
    t.deepEqual(own, { [payer.toLowerCase()]: limits.reduce((sum, gas) => sum + gas) });
  },
);

test.serial('a deposit that burned our gas is a failure, also if somebody else sends it then', async (t) => {
  const channel = await stack.newFunded();
  const payer = channel.payer.address;
  const made = await newDeposit(channel, { signer: createWallet() });
  const data = encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: 'deposit',
    args: [channel.config, MIN_DEPOSIT, COLLECTOR, made.collectorData],
  });
  await burn(t, payer, made, async () => {
    await node.setCode({ address: payer, bytecode: ACCEPTING });
    await stack.overtake(createWallet().address, data);
  });
  t.is((await stack.transactionOf(made.id))?.state, 'done');
  const used = await usedBy(made.id);
  t.true(used > 100_000n);
  t.deepEqual(await countedFor(stack, made.id), { [payer.toLowerCase()]: used, code: used });
  t.true(await until(async () => (await stack.failuresOf(channel)) === 1));
});

test.serial('an honest deposit that was mined too late is no failure of its payer', async (t) => {
  const channel = await stack.newFunded();
  const payer = channel.payer.address;
  const validBefore = (await stack.nowS()) + 60n;
  const made = await newDeposit(channel, { validBefore });
  const release = await stack.hold(t);
  const answer = service.channels.deposit(made.request, timed);
  await stack.untilHeld(1);
  await node.setNextBlockTimestamp({ timestamp: validBefore });
  await release();
  await node.mine({ blocks: 1 });
  t.is((await stack.whileMining(() => answer)).outcome?.value, FAILED);
  t.deepEqual(await countedFor(stack, made.id), { [payer.toLowerCase()]: await usedBy(made.id) });
  // The answer may come before a failure would be counted.
  await delay(500);
  t.is(await stack.failuresOf(channel), 0);
});
