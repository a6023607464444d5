import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { ChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { startChannelStack } from '../channels/channel-stack.ts';
import { MIN_DEPOSIT, newDeposit, PRICE, timed, wireClaim } from '../channels/channel-wire.ts';

const stack = await startChannelStack();
const healthy = await stack.start();
test.after.always(async () => {
  await healthy.stop();
  await stack.stop();
});

const open = () => stack.open(healthy.channels);

/** Lets a copy of the service die at a step of the call. */
async function dieAt(t: ExecutionContext, step: string, call: (channels: ChannelsClient) => Promise<unknown>) {
  const doomed = await stack.start({ killAt: step });
  await t.throwsAsync(call(doomed.channels));
  await doomed.exited;
  await doomed.stop();
}

for (const step of ['before', 'recorded', 'sent']) {
  test.serial(`a deposit whose service dies at ${step} is made once by the next request`, async (t) => {
    const channel = await stack.newFunded();
    const { request, id } = await newDeposit(channel);
    await dieAt(t, `channel-deposit.${step}`, (channels) => channels.deposit(request, timed));
    t.is((await stack.transactionOf(id)) === undefined, step === 'before');
    const { outcome } = await stack.whileMining(() => healthy.channels.deposit(request, timed));
    t.like(outcome, { $case: 'deposited', value: { amount: `${MIN_DEPOSIT}` } });
    t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT);
    t.like(await stack.transactionOf(id), { state: 'done' });
  });
}

for (const step of ['recorded', 'sent']) {
  test.serial(`a deposit whose service dies at ${step} is made without another request`, async (t) => {
    const channel = await stack.newFunded();
    const { request, id } = await newDeposit(channel);
    await dieAt(t, `channel-deposit.${step}`, (channels) => channels.deposit(request, timed));
    const { nextBlock } = await healthy.channels.watch(0n, timed);
    await stack.whileMining(async () => {
      while (defined(await stack.transactionOf(id)).state === 'open') await healthy.channels.getTerms(timed);
    });
    const { channels } = await healthy.channels.watch(nextBlock, timed);
    t.is(channels.find(({ channelId }) => channelId === channel.id)?.balance, `${MIN_DEPOSIT}`);
  });

  test.serial(`a claim whose service dies at ${step} is made once`, async (t) => {
    const channel = await open();
    const claims = [await wireClaim(channel, PRICE)];
    await dieAt(t, `channel-claim.${step}`, (channels) => channels.claim({ claims }, timed));
    const { channels } = await stack.whileMining(() => healthy.channels.claim({ claims }, timed));
    t.is(channels[0]?.totalClaimed, `${PRICE}`);
    t.is((await stack.chain.stateOf(channel)).totalClaimed, PRICE);
  });

  test.serial(`a refund whose service dies at ${step} is made once, and resolved`, async (t) => {
    const channel = await open();
    const refundId = uuidv7();
    const before = await stack.chain.balanceOf(channel.payer.address);
    const amount = MIN_DEPOSIT - PRICE;
    const request = { refundId, channelId: channel.id, amount: `${amount}`, claim: await wireClaim(channel, PRICE) };
    await dieAt(t, `channel-refund.${step}`, (channels) => channels.refund(request, timed));
    const { outcome } = await stack.whileMining(() => healthy.channels.resolveRefund(refundId, timed));
    t.like(outcome, { $case: 'refunded', value: { amount: `${amount}` } });
    t.like((await healthy.channels.refund(request, timed)).outcome, { $case: 'refunded' });
    t.is(await stack.chain.balanceOf(channel.payer.address), before + amount);
    t.like(await stack.chain.stateOf(channel), { balance: PRICE, totalClaimed: PRICE, refundNonce: 1n });
  });
}
