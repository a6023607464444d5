import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { until } from '../../../helpers/until.ts';
import { MIN_DEPOSIT, PRICE, startChannelStack, timed, wireVoucher } from '../../payments/channels/channel-stack.ts';
import { startLaggingNode } from '../../payments/channels/lagging-node.ts';
import { calls } from '../../payments/sandbox/channel-chain.ts';
import { startChannelJobs } from './channel-job-stack.ts';

const node = await startLaggingNode();
const stack = await startChannelStack({ X402_RPC_URL: node.url });
node.of = stack.sandbox.rpcUrl;
const { ledger, service, watch, resolveRefunds, accountOf, open, call, stop } = await startChannelJobs(stack);
test.after.always(async () => {
  await stop();
  node.stop();
});

test.serial('a refund whose state is read from a node that lags behind is not paid twice', async (t) => {
  const channel = await open();
  const charged = 6n * PRICE;
  for (let total = PRICE; total <= charged; total += PRICE) await call(channel, total);
  const { signature } = await wireVoucher(channel, charged);
  const hold = (reservationId: string) =>
    ledger.holdRefund({
      reservationId,
      channelId: channel.id,
      cumulativeMicroUsd: charged,
      signature,
      amountMicroUsd: 3n * PRICE,
      deadlineMs: Date.now() + 30_000,
    });
  const send = (refundId: string, timeoutMs = timed.timeoutMs) =>
    service().channels.refund({ refundId, channelId: channel.id, amount: `${3n * PRICE}` }, { timeoutMs });
  await ledger.setClock(Date.now());
  const refundId = uuidv7();
  t.is((await hold(refundId)).state, 'reserved');
  // The gateway does not wait for the final block. The payments service goes on.
  await send(refundId, 1500).catch(() => {});
  await stack.untilState(channel, ({ balance }) => balance === MIN_DEPOSIT - 3n * PRICE);
  // Its block is final now, and not before.
  await stack.chain.node.mine({ blocks: 2 });
  await until(async () => (await stack.transactionOf(`refund:${refundId}`))?.state === 'done');
  node.lag = 1;
  await ledger.setClock(Date.now() + 120_000);
  await resolveRefunds();
  node.lag = 0;
  const { balanceMicroUsd, reservedMicroUsd } = await accountOf(channel);
  // Until the watch reads the event, the payer asks again.
  await ledger.setClock(Date.now());
  const again = uuidv7();
  if ((await hold(again)).state === 'reserved') await stack.whileMining(() => send(again));
  const { balance } = await stack.chain.stateOf(channel);
  t.true(balance >= charged, `${charged} is charged, and the contract holds ${balance}`);
  t.true(balanceMicroUsd + reservedMicroUsd <= MIN_DEPOSIT - charged);
});

test.serial('a withdrawal is seen, also if the node that was asked for events lagged behind', async (t) => {
  const channel = await open();
  await call(channel, PRICE);
  await stack.chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, MIN_DEPOSIT));
  await stack.chain.node.mine({ blocks: 3 });
  // The block is final, by the node that tells the latest one. Another one, which has ten blocks less, answers for events.
  node.lagOfLogs = 10;
  await watch().catch(() => {});
  node.lagOfLogs = 0;
  await stack.chain.node.mine({ blocks: 3 });
  // Nothing is claimed, and all is lost when the delay is over. A busy machine may not answer the first time.
  const isSeen = async () => {
    await watch();
    return (await accountOf(channel)).balanceMicroUsd === 0n;
  };
  t.true(await until(isSeen));
});
