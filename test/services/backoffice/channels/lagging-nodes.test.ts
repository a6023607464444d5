import test from 'ava';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { until } from '../../../kit/until.ts';
import { startChannelStack } from '../../payments/channels/channel-stack.ts';
import { DELAY_S, MIN_DEPOSIT, PRICE, timed, wireConfig } from '../../payments/channels/channel-wire.ts';
import { startLaggingNode } from '../../payments/channels/lagging-node.ts';
import { type Channel, calls } from '../../payments/sandbox/channel-chain.ts';
import { openChannelJobs } from './channel-job-stack.ts';

const node = await startLaggingNode();
const stack = await startChannelStack({ X402_RPC_URL: node.url });
node.of = stack.sandbox.rpcUrl;
const service = await stack.start();
const { ledger, watch, claim, resolveRefunds, accountOf, open, call, hold, held, close } = await openChannelJobs(
  stack,
  service,
);
test.beforeEach(() => ledger.setClock(Date.now()));
test.after.always(async () => {
  await close();
  await service.stop();
  await stack.stop();
  node.stop();
});

/** A channel that was charged for some calls. */
async function charged(count: bigint): Promise<Channel> {
  const channel = await open();
  for (let total = PRICE; total <= count * PRICE; total += PRICE) await call(channel, total);
  return channel;
}

test.serial('a refund whose state is read from a node that lags behind is not paid twice', async (t) => {
  const channel = await charged(6n);
  const part = 3n * PRICE;
  const { request: first } = await held(channel, 6n * PRICE, part);
  // The gateway does not wait for the final block. The payments service goes on.
  service.channels.refund(first, timed).catch(() => {});
  await stack.untilState(channel, ({ balance }) => balance === MIN_DEPOSIT - 3n * PRICE);
  // Its block is final now, and not before.
  await stack.chain.node.mine({ blocks: 2 });
  await until(async () => (await stack.transactionOf(`refund:${first.refundId}`))?.state === 'done');
  node.lag = 1;
  await ledger.setClock(Date.now() + 120_000);
  await resolveRefunds();
  node.lag = 0;
  const { balanceMicroUsd, reservedMicroUsd } = await accountOf(channel);
  // Until the watch reads the event, the payer asks again.
  await ledger.setClock(Date.now());
  const { refundId, outcome } = await hold(channel, 6n * PRICE, { amountMicroUsd: part });
  const again = { ...first, refundId };
  if (outcome.state === 'reserved') await stack.whileMining(() => service.channels.refund(again, timed));
  const { balance } = await stack.chain.stateOf(channel);
  t.true(balance >= 6n * PRICE, `${6n * PRICE} is charged, and the contract holds ${balance}`);
  t.true(balanceMicroUsd + reservedMicroUsd <= MIN_DEPOSIT - 6n * PRICE);
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

const read = (channel: Channel) =>
  service.channels.read({ channelIds: [channel.id], configs: [wireConfig(channel)] }, timed);

/** A channel that another server opened, and whose payer has started a withdrawal. */
async function withdrawing(): Promise<Channel> {
  const channel = await stack.newFunded();
  await stack.chain.open(channel, MIN_DEPOSIT);
  await stack.chain.node.mine({ blocks: 3 });
  await stack.chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, MIN_DEPOSIT));
  await stack.chain.node.mine({ blocks: 3 });
  return channel;
}

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

const head = async () => Number(await stack.chain.node.getBlockNumber({ cacheTime: 0 }));

test.serial(
  'a refund is not told as done by the transaction of an earlier one, whose nonce was not noted',
  async (t) => {
    const channel = await charged(2n);
    const { request: first } = await held(channel, 2n * PRICE, 2n * PRICE);
    const before = await head();
    t.is((await stack.whileMining(() => service.channels.refund(first, timed))).outcome?.$case, 'refunded');
    await ledger.void(first.refundId, 'operation_failed');
    const { request: second } = await held(channel, 2n * PRICE, 2n * PRICE);
    await ledger.query('UPDATE channel SET refund_nonce = 0');
    node.lag = (await head()) - before;
    const answer = service.channels.refund(second, timed);
    await until(async () => (await stack.transactionOf(`refund:${second.refundId}`)) !== undefined);
    node.lag = 0;
    t.is((await stack.whileMining(() => answer)).outcome?.$case, 'refused');
    t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT - 2n * PRICE);
  },
);

const TABLES = ['public.channel', 'public.channel_watch', 'ledger.channel'];

test.serial(
  'after a restore, no voucher that was claimed before counts as private, whatever node answers',
  async (t) => {
    const channel = await charged(2n);
    await watch();
    t.deepEqual((await ledger.audit()).violations, []);
    const before = await Promise.all(TABLES.map((table) => ledger.query(`SELECT to_jsonb(x) AS row FROM ${table} x`)));
    await claim({ afterSeconds: 0, aboveMicroUsd: 1n });
    await stack.chain.node.mine({ blocks: 6 });
    t.is((await stack.chain.stateOf(channel)).totalClaimed, PRICE);
    // The database lacks the last seconds.
    for (const [i, table] of TABLES.entries()) {
      await ledger.query(`DELETE FROM ${table}`);
      for (const { row } of before[i] ?? []) {
        await ledger.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`, [
          row,
        ]);
      }
    }
    const nowMs = Number(await stack.nowS()) * 1000;
    await ledger.setClock(nowMs);
    // In one transaction: the payments service would begin the epoch at its own time.
    await ledger.query(`UPDATE ledger.epoch SET identity = 'another'; SELECT ${LEDGER_FUNCTIONS}.begin_epoch(false)`);
    const stranger = async () => (await hold(channel, PRICE, { deadlineMs: nowMs + 30_000 })).outcome.state;
    const place = async () =>
      BigInt(String((await ledger.query('SELECT next_block FROM channel_watch'))[0]?.['next_block']));
    // The first final block that these nodes have is earlier than the place, just before it, and a later one without the claim.
    const behind = Number((await stack.chain.node.getBlockNumber({ cacheTime: 0 })) - (await place()));
    for (const lag of [behind + 1, behind - 2, behind - 3]) {
      node.lag = lag;
      await watch().catch(() => {});
      t.is(await stranger(), 'unsettled', `a node without the last ${lag} blocks`);
    }
    node.lag = 0;
    await stack.chain.node.increaseTime({ seconds: 60 });
    await stack.chain.node.mine({ blocks: 3 });
    await watch();
    t.is(await stranger(), 'cumulative_below_claimed');
    await ledger.setClock(Date.now());
    await t.notThrowsAsync(call(channel, 3n * PRICE), 'its payer goes on');
    ledger.notAudited();
  },
);
