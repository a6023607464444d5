import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { until } from '../../../helpers/until.ts';
import { MIN_DEPOSIT, PRICE, startChannelStack, timed, wireVoucher } from '../../payments/channels/channel-stack.ts';
import { startLaggingNode } from '../../payments/channels/lagging-node.ts';
import { type Channel, calls } from '../../payments/sandbox/channel-chain.ts';
import { startChannelJobs } from './channel-job-stack.ts';

const node = await startLaggingNode();
const stack = await startChannelStack({ X402_RPC_URL: node.url });
node.of = stack.sandbox.rpcUrl;
const { ledger, service, accountOf, open, call, resolveRefunds, stop } = await startChannelJobs(stack);
test.after.always(async () => {
  await stop();
  node.stop();
});

/** A channel that was charged for two calls. */
async function charged(): Promise<Channel> {
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  return channel;
}

/** Holds an amount for its payer. @returns the request that sends it */
async function hold(channel: Channel, amountMicroUsd: bigint) {
  const refundId = uuidv7();
  const { signature } = await wireVoucher(channel, 2n * PRICE);
  const { state } = await ledger.holdRefund({
    reservationId: refundId,
    channelId: channel.id,
    cumulativeMicroUsd: 2n * PRICE,
    signature,
    amountMicroUsd,
    deadlineMs: Date.now() + 30_000,
  });
  if (state !== 'reserved') throw new Error(state);
  return { refundId, channelId: channel.id, amount: `${amountMicroUsd}` };
}

const head = async () => Number(await stack.chain.node.getBlockNumber({ cacheTime: 0 }));

test.serial('a refund is not signed with the nonce of an earlier one, which the node does not know', async (t) => {
  const channel = await charged();
  const first = await hold(channel, 3n * PRICE);
  const before = await head();
  const { outcome } = await stack.whileMining(() => service().channels.refund(first, timed));
  t.is(outcome?.$case, 'refunded');
  await ledger.void(first.refundId, 'operation_failed');
  const second = await hold(channel, 2n * PRICE);
  node.lag = (await head()) - before;
  await t.throwsAsync(service().channels.refund(second, timed), { message: /does not answer/ });
  node.lag = 0;
  // Its payer did not get an answer, and it was not sent.
  await ledger.setClock(Date.now() + 120_000);
  await resolveRefunds();
  t.like(await stack.transactionOf(`refund:${second.refundId}`), { state: 'refused', transactions: [] });
  await ledger.setClock(Date.now());
  const third = await hold(channel, 2n * PRICE);
  t.is((await stack.whileMining(() => service().channels.refund(third, timed))).outcome?.$case, 'refunded');
  await ledger.void(third.refundId, 'operation_failed');
  t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT - 5n * PRICE);
  t.is((await accountOf(channel)).balanceMicroUsd, MIN_DEPOSIT - 7n * PRICE);
});

test.serial(
  'a refund is refused if the receiver used its nonce, and the credit is what the contract holds',
  async (t) => {
    const channel = await charged();
    const wanted = await hold(channel, 2n * PRICE);
    const release = await stack.hold(t);
    const answer = service().channels.refund(wanted, timed);
    await stack.untilHeld(1);
    await stack.overtake(stack.payee, calls.refund(channel.config, 5n * PRICE));
    await release();
    const { outcome } = await stack.whileMining(() => answer);
    t.deepEqual(outcome, { $case: 'refused', value: 'invalid_batch_settlement_evm_refund_no_balance' });
    await ledger.void(wanted.refundId, 'operation_failed');
    const { balance } = await stack.chain.stateOf(channel);
    t.is(balance, MIN_DEPOSIT - 5n * PRICE);
    t.is((await accountOf(channel)).balanceMicroUsd, balance - 2n * PRICE);
  },
);

test.serial(
  'a refund is not told as done by the transaction of an earlier one, whose nonce was not noted',
  async (t) => {
    const channel = await charged();
    const first = await hold(channel, 2n * PRICE);
    const before = await head();
    t.is((await stack.whileMining(() => service().channels.refund(first, timed))).outcome?.$case, 'refunded');
    await ledger.void(first.refundId, 'operation_failed');
    const second = await hold(channel, 2n * PRICE);
    await ledger.query('UPDATE channel SET refund_nonce = 0');
    node.lag = (await head()) - before;
    const answer = service().channels.refund(second, timed);
    await until(async () => (await stack.transactionOf(`refund:${second.refundId}`)) !== undefined);
    node.lag = 0;
    t.is((await stack.whileMining(() => answer)).outcome?.$case, 'refused');
    t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT - 2n * PRICE);
  },
);
