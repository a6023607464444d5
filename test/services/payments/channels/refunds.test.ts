import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { type Hex, parseTransaction } from 'viem';
import { defined } from '../../../../workers/exact/defined.ts';
import type { Channel } from '../sandbox/channel-chain.ts';
import { type ChannelStack, MIN_DEPOSIT, PRICE, startChannelStack, timed, wireClaim } from './channel-stack.ts';

let stack: ChannelStack;
let service: Awaited<ReturnType<ChannelStack['start']>>;
test.before(async () => {
  stack = await startChannelStack();
  service = await stack.start();
});
test.after.always(async () => {
  await service?.stop();
  await stack?.stop();
});

const open = () => stack.open(service.channels);
const refused = (reason: string) => ({ $case: 'refused' as const, value: `invalid_batch_settlement_evm_${reason}` });

async function refund(channel: Channel, amount: bigint, total?: bigint) {
  const claim = total === undefined ? {} : { claim: await wireClaim(channel, total) };
  const request = { refundId: uuidv7(), channelId: channel.id, amount: `${amount}`, ...claim };
  return (await stack.whileMining(() => service.channels.refund(request, timed))).outcome;
}

test.serial('a refund is of what is left after all claims, also of those that it does not name', async (t) => {
  const channel = await open();
  const claims = [await wireClaim(channel, 3n * PRICE)];
  await stack.whileMining(() => service.channels.claim({ claims }, timed));
  const left = MIN_DEPOSIT - 3n * PRICE;
  for (const named of [undefined, PRICE, 3n * PRICE]) {
    t.deepEqual(await refund(channel, left + 1n, named), refused('refund_amount_invalid'));
  }
  t.is((await stack.chain.stateOf(channel)).refundNonce, 0n);
  t.like(await refund(channel, left, PRICE), { $case: 'refunded', value: { amount: `${left}` } });
  for (const named of [undefined, PRICE]) {
    t.deepEqual(await refund(channel, 1n, named), refused('refund_no_balance'));
  }
  t.like(await stack.chain.stateOf(channel), { balance: 3n * PRICE, totalClaimed: 3n * PRICE, refundNonce: 1n });
});

test.serial('a refund that a stranger sends first is made, with the transaction of the stranger', async (t) => {
  const channel = await open();
  const amount = MIN_DEPOSIT - PRICE;
  const before = await stack.chain.balanceOf(channel.payer.address);
  const refundId = uuidv7();
  const request = { refundId, channelId: channel.id, amount: `${amount}`, claim: await wireClaim(channel, PRICE) };
  const { node } = stack.chain;
  await node.setAutomine(false);
  t.teardown(() => node.setAutomine(true));
  t.like((await service.channels.refund(request, { timeoutMs: 3000 })).outcome, { $case: 'pending' });
  const { signed } = defined(await stack.transactionOf(`refund:${refundId}`));
  const { data } = parseTransaction(defined(signed) as Hex);
  const transaction = await stack.overtake(channel.payer.address, defined(data));
  await node.setAutomine(true);
  const { outcome } = await stack.whileMining(() => service.channels.resolveRefund(refundId, timed));
  t.like(outcome, { $case: 'refunded', value: { transaction, amount: `${amount}` } });
  t.is(await stack.chain.balanceOf(channel.payer.address), before + amount);
  t.like(await stack.chain.stateOf(channel), { balance: PRICE, totalClaimed: PRICE, refundNonce: 1n });
});

test.serial('of several refunds at once, each one that is answered as made was paid', async (t) => {
  const channel = await open();
  const before = await stack.chain.balanceOf(channel.payer.address);
  const requests = Array.from({ length: 3 }, () => ({
    refundId: uuidv7(),
    channelId: channel.id,
    amount: `${PRICE}`,
  }));
  const answers = await stack.whileMining(() =>
    Promise.all(requests.map((request) => service.channels.refund(request, timed))),
  );
  const made = answers.filter(({ outcome }) => outcome?.$case === 'refunded');
  t.true(made.length > 0);
  const others = answers.filter((answer) => !made.includes(answer));
  for (const { outcome } of others) t.deepEqual(outcome, refused('channel_busy'));
  t.is(await stack.chain.balanceOf(channel.payer.address), before + BigInt(made.length) * PRICE);
  t.is((await stack.chain.stateOf(channel)).refundNonce, BigInt(made.length));
});
