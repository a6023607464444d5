import test from 'ava';
import { createChannelsClient } from '../../services/payments/contract/channels-client.ts';
import { connectChain, createWallet } from '../helpers/chain.ts';
import { PRICE, startChannelStack, timed, wireClaim } from '../services/payments/channels/channel-stack.ts';
import { startPayments } from '../services/payments/harness.ts';
import { CHANNEL_TOKEN } from '../services/payments/sandbox/channel-chain.ts';

const stack = await startChannelStack();
test.after.always(() => stack.stop());

test('what channels of the earlier payee were charged is claimed and sent after a change of X402_PAY_TO', async (t) => {
  const first = await stack.start();
  const channel = await stack.open(first.channels);
  await first.stop();
  const second = await startPayments({ env: { ...stack.env, X402_PAY_TO: createWallet().address } });
  t.teardown(() => second.stop());
  const channels = createChannelsClient(second.target);
  t.teardown(() => channels.close());
  const claims = [await wireClaim(channel, PRICE)];
  const answer = await stack.whileMining(() => channels.claim({ claims }, timed));
  t.log(JSON.stringify(answer, (_, v) => (typeof v === 'bigint' ? `${v}` : v)));
  t.is((await stack.chain.stateOf(channel)).totalClaimed, PRICE);
  t.is(
    await connectChain(stack.sandbox.rpcUrl, CHANNEL_TOKEN).balanceOf(stack.payee),
    PRICE,
    'the money stays in the contract, and nothing says so',
  );
});
