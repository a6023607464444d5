import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createPaymentsOperatorClient } from '../../../../services/payments/contract/operator-client.ts';
import { readChannelFigures } from '../../../../services/store/channel-figures.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import {
  MIN_DEPOSIT,
  NETWORK,
  PRICE,
  startChannelStack,
  timed,
  wireVoucher,
} from '../../payments/channels/channel-stack.ts';
import { type Channel, calls } from '../../payments/sandbox/channel-chain.ts';
import { startChannelJobs } from './channel-job-stack.ts';

/** After the deadline of every reservation. */
const LATE_MS = 120_000;
const stack = await startChannelStack();
const { ledger, service, watch, claim, resolveRefunds, accountOf, open, call, restart, stop } =
  await startChannelJobs(stack);
test.after.always(() => stop());

const NOT_DUE = { afterSeconds: 1_000_000, aboveMicroUsd: 1_000_000_000n };

const claimedOf = async (channel: Channel) => (await stack.chain.stateOf(channel)).totalClaimed;
const publishedOf = async ({ id }: Channel) =>
  (await ledger.query('SELECT published::bigint FROM ledger.channel WHERE id = $1', [id]))[0]?.['published'];
const unclaimedSince = async ({ id }: Channel) =>
  (await ledger.query('SELECT unclaimed_since FROM ledger.channel WHERE id = $1', [id]))[0]?.['unclaimed_since'];

test.serial(
  'the watch credits deposits and top-ups, also those that strangers sent, after a restart as well',
  async (t) => {
    const channel = await open();
    t.like(await accountOf(channel), { fundedMicroUsd: MIN_DEPOSIT, balanceMicroUsd: MIN_DEPOSIT });
    await stack.chain.open(channel, PRICE);
    await watch();
    t.is((await accountOf(channel)).fundedMicroUsd, MIN_DEPOSIT, 'the block is not final');
    await restart();
    await stack.chain.node.mine({ blocks: 3 });
    await watch();
    t.is((await accountOf(channel)).fundedMicroUsd, MIN_DEPOSIT + PRICE);
  },
);

test.serial('the watch takes the amount of a withdrawal that was started from the credit', async (t) => {
  const channel = await open();
  await stack.chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, MIN_DEPOSIT - 2n * PRICE));
  await stack.chain.node.mine({ blocks: 3 });
  await watch();
  t.is((await accountOf(channel)).balanceMicroUsd, 2n * PRICE);
});

test.serial('what was charged is claimed after a time', async (t) => {
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  await claim(NOT_DUE);
  t.deepEqual([await claimedOf(channel), await publishedOf(channel)], [0n, 0n]);
  await claim({ ...NOT_DUE, afterSeconds: 0 });
  t.is(await publishedOf(channel), PRICE);
  t.is(await claimedOf(channel), PRICE);
  t.is(await unclaimedSince(channel), null, 'nothing more can be claimed');
});

test.serial('an amount is claimed at once', async (t) => {
  const [small, large] = [await open(), await open()];
  for (const cumulative of [PRICE, 2n * PRICE]) await call(small, cumulative);
  for (const cumulative of [PRICE, 2n * PRICE, 3n * PRICE]) await call(large, cumulative);
  await claim({ ...NOT_DUE, aboveMicroUsd: 2n * PRICE });
  t.deepEqual([await claimedOf(small), await claimedOf(large)], [0n, 2n * PRICE]);
});

test.serial('a channel with a withdrawal that was started is claimed at once', async (t) => {
  const channel = await open();
  await call(channel, PRICE);
  await stack.chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, MIN_DEPOSIT));
  await stack.chain.node.mine({ blocks: 3 });
  await watch();
  await claim(NOT_DUE);
  t.is(await claimedOf(channel), PRICE);
});

test.serial('the reserve of gas counts the claims that can be made', async (t) => {
  const operator = createPaymentsOperatorClient(service().target);
  t.teardown(() => operator.close());
  const before = defined(await operator.readGas(timed));
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  const after = defined(await operator.readGas(timed));
  t.is(after.unclaimedChannels, before.unclaimedChannels + 1);
});

test.serial('the figures of channels say what can be claimed', async (t) => {
  const before = await readChannelFigures(stack.database, NETWORK);
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  const { claimableMicroUsd, open: count, watchedSecondsAgo } = await readChannelFigures(stack.database, NETWORK);
  t.is(claimableMicroUsd - before.claimableMicroUsd, PRICE);
  t.is(count - before.open, 1);
  t.is(typeof watchedSecondsAgo, 'number');
});

/** Holds all credit of a channel for a refund whose gateway is gone. */
async function hold(channel: Channel, refundId: string): Promise<bigint> {
  const { chargedMicroUsd } = await accountOf(channel);
  const { signature } = await wireVoucher(channel, chargedMicroUsd);
  const outcome = await ledger.holdRefund({
    reservationId: refundId,
    channelId: channel.id,
    cumulativeMicroUsd: chargedMicroUsd,
    signature,
    deadlineMs: Date.now() + 30_000,
  });
  if (outcome.state !== 'reserved') throw new Error(outcome.state);
  return outcome.amountMicroUsd;
}

test.serial('a refund that its gateway never sent is refused for good, and its credit is free again', async (t) => {
  const channel = await open();
  await ledger.setClock(Date.now());
  const refundId = uuidv7();
  const amount = await hold(channel, refundId);
  await ledger.setClock(Date.now() + LATE_MS);
  await resolveRefunds();
  t.like(await accountOf(channel), { reservedMicroUsd: 0n, balanceMicroUsd: MIN_DEPOSIT });
  const { outcome } = await service().channels.refund({ refundId, channelId: channel.id, amount: `${amount}` }, timed);
  t.like(outcome, { $case: 'refused' });
});

test.serial('a refund that its gateway sent leaves the credit of the channel', async (t) => {
  const channel = await open();
  await ledger.setClock(Date.now());
  const refundId = uuidv7();
  const amount = await hold(channel, refundId);
  const request = { refundId, channelId: channel.id, amount: `${amount}` };
  const answer = service().channels.refund(request, timed);
  await stack.untilState(channel, ({ balance }) => balance === 0n);
  await ledger.setClock(Date.now() + LATE_MS);
  await stack.whileMining(resolveRefunds);
  t.like((await answer).outcome, { $case: 'refunded' });
  t.like(await accountOf(channel), { reservedMicroUsd: 0n, balanceMicroUsd: 0n, fundedMicroUsd: 0n });
  t.is((await stack.chain.stateOf(channel)).balance, 0n);
});
