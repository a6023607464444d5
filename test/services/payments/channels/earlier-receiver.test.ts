import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createWallet } from '../../../kit/chain.ts';
import { useChannelStack } from './channel-stack.ts';
import { MIN_DEPOSIT, PRICE, timed, wireClaim } from './channel-wire.ts';

const { stack, service: first } = await useChannelStack();

test('after a change of X402_PAY_TO, claims and refunds send each receiver its money', async (t) => {
  const claimed = await stack.open(first.channels);
  const refunded = await stack.open(first.channels);
  const receiver = createWallet().address;
  const second = await stack.start({ settings: { X402_PAY_TO: receiver } });
  t.teardown(() => second.stop());
  const ours = await stack.open(second.channels, receiver);
  const { balanceOf } = stack.chain;
  const before = await balanceOf(stack.payee);
  const received = async () => [(await balanceOf(stack.payee)) - before, await balanceOf(receiver)];

  const claims = [await wireClaim(claimed, PRICE), await wireClaim(ours, 2n * PRICE)];
  const { transactions } = await stack.whileMining(() => second.channels.claim({ claims }, timed));
  t.is(transactions.length, 1);
  t.deepEqual(await received(), [PRICE, 2n * PRICE]);

  const [refundId, channelId, claim] = [uuidv7(), refunded.id, await wireClaim(refunded, PRICE)];
  const amount = `${MIN_DEPOSIT - PRICE}`;
  await stack.whileMining(() => second.channels.refund({ refundId, channelId, amount, claim }, timed));
  t.deepEqual(await received(), [2n * PRICE, 2n * PRICE]);
});
