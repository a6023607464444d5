import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createResolveRefunds } from '../../../../services/backoffice/channels/resolve-refunds.ts';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { until } from '../../../helpers/until.ts';
import { openTrialLedger, prepareLedger } from '../../ledger/store/store-fixture.ts';
import {
  MIN_DEPOSIT,
  NETWORK,
  newDeposit,
  PRICE,
  startChannelStack,
  timed,
  wireVoucher,
} from '../../payments/channels/channel-stack.ts';
import { startLaggingNode } from '../../payments/channels/lagging-node.ts';
import { type Channel, calls } from '../../payments/sandbox/channel-chain.ts';
import { chargeCall } from './channel-stores.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const never = new AbortController().signal;

const node = await startLaggingNode();
const stack = await startChannelStack({ X402_RPC_URL: node.url });
node.of = stack.sandbox.rpcUrl;
const service = await stack.start();
await prepareLedger(stack.sandbox.databaseUrl);
await createPartitions(stack.database, Date.now());
const closing: (() => unknown)[] = [];
const ledger = openTrialLedger(
  { teardown: (close) => closing.push(close) },
  { url: stack.sandbox.databaseUrl, database: stack.database },
  { network: NETWORK },
);
test.after.always(async () => {
  for (const close of closing) await close();
  await service.stop();
  await stack.stop();
  node.stop();
});

const vouchers = () => createVouchers({ database: stack.database, network: NETWORK });
const watch = () =>
  createWatchChannels({
    ...stack,
    network: NETWORK,
    vouchers: vouchers(),
    channels: service.channels,
  })(never);
const resolveRefunds = () => createResolveRefunds({ ledger, channels: service.channels, logger })(never);

const accountOf = async ({ id }: Channel) => defined((await ledger.channels([id]))[0]);

/** A channel whose deposit is final and credited. */
async function open(): Promise<Channel> {
  const channel = await stack.newFunded();
  const { request } = await newDeposit(channel);
  const { outcome } = await stack.whileMining(() => service.channels.deposit(request, timed));
  if (outcome?.$case !== 'deposited') throw new Error(JSON.stringify(outcome));
  await watch();
  return channel;
}

/** Charges a channel for a call. */
async function call(channel: Channel, cumulativeMicroUsd: bigint): Promise<void> {
  const { signature } = await wireVoucher(channel, cumulativeMicroUsd);
  await chargeCall(ledger, channel.id, { chargedMicroUsd: cumulativeMicroUsd - PRICE, signature });
}

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
    service.channels.refund({ refundId, channelId: channel.id, amount: `${3n * PRICE}` }, { timeoutMs });
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
  await watch();
  t.is((await accountOf(channel)).balanceMicroUsd, 0n, 'nothing is claimed, and all is lost when the delay is over');
});
