import test from 'ava';
import { until } from '../../../helpers/until.ts';
import {
  DELAY_S,
  MIN_DEPOSIT,
  newDeposit,
  PRICE,
  startChannelStack,
  timed,
  wireConfig,
} from '../../payments/channels/channel-stack.ts';
import { startLaggingNode } from '../../payments/channels/lagging-node.ts';
import { type Channel, calls } from '../../payments/sandbox/channel-chain.ts';
import { startChannelJobs } from './channel-job-stack.ts';

const node = await startLaggingNode();
const stack = await startChannelStack({ X402_RPC_URL: node.url });
node.of = stack.sandbox.rpcUrl;
const { ledger, service, watch, claim, accountOf, open, call, stop } = await startChannelJobs(stack);
test.after.always(async () => {
  await stop();
  node.stop();
});

const read = (channel: Channel) =>
  service().channels.read({ channelIds: [channel.id], configs: [wireConfig(channel)] }, timed);

/** A channel that another server opened, and whose payer has started a withdrawal. */
async function withdrawing(): Promise<Channel> {
  const channel = await stack.newFunded();
  await stack.chain.open(channel, MIN_DEPOSIT);
  await stack.chain.node.mine({ blocks: 3 });
  await stack.chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, MIN_DEPOSIT));
  await stack.chain.node.mine({ blocks: 3 });
  return channel;
}

test.serial('a channel is not read first from a node that lacks blocks which the watch has read', async (t) => {
  await open();
  const channel = await withdrawing();
  await watch();
  node.lag = 4;
  await t.throwsAsync(read(channel), { message: /does not answer/ });
  node.lag = 0;
  t.is((await accountOf(channel)).balanceMicroUsd, 0n);
  await read(channel);
  t.is((await accountOf(channel)).balanceMicroUsd, 0n, 'all of it is being withdrawn');
});

test.serial(
  'all that was charged is claimed, also if the channel was read first while the watch read later blocks',
  async (t) => {
    await open();
    const [place] = await ledger.query('SELECT next_block FROM channel_watch');
    const channel = await withdrawing();
    await watch();
    const [later] = await ledger.query('SELECT next_block FROM channel_watch');
    // The watch has not noted its place yet when the channel is read, twice, from a node that has four blocks less.
    await ledger.query('UPDATE channel_watch SET next_block = $1', [String(place?.['next_block'])]);
    node.lag = 4;
    await read(channel);
    await stack.chain.node.mine({ blocks: 1 });
    await read(channel);
    node.lag = 0;
    await ledger.query('UPDATE channel_watch SET next_block = $1', [String(later?.['next_block'])]);
    for (let total = PRICE; total <= MIN_DEPOSIT; total += PRICE) await call(channel, total);
    await watch();
    await claim({ afterSeconds: 3600, aboveMicroUsd: 1_000_000n });
    await stack.chain.node.increaseTime({ seconds: DELAY_S + 1 });
    await stack.chain.send(channel.payer.address, calls.finalizeWithdraw(channel.config));
    t.is((await stack.chain.stateOf(channel)).totalClaimed, MIN_DEPOSIT);
  },
);

test.serial('a final deposit is answered with what it left in the channel, whatever node answers', async (t) => {
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel);
  // The gateway does not wait for the final block.
  await service()
    .channels.deposit(request, { timeoutMs: 1500 })
    .catch(() => {});
  await stack.untilState(channel, ({ balance }) => balance === MIN_DEPOSIT);
  await stack.chain.node.mine({ blocks: 2 });
  await until(async () => (await stack.transactionOf(id))?.state === 'done');
  node.lag = 1;
  const { outcome } = await service().channels.deposit(request, timed);
  node.lag = 0;
  t.like(outcome, { $case: 'deposited', value: { channel: { balance: `${MIN_DEPOSIT}` } } });
  t.is((await accountOf(channel)).balanceMicroUsd, MIN_DEPOSIT);
});
