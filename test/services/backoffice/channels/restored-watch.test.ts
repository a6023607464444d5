import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { PRICE, startChannelStack, wireVoucher } from '../../payments/channels/channel-stack.ts';
import { startLaggingNode } from '../../payments/channels/lagging-node.ts';
import { startChannelJobs } from './channel-job-stack.ts';

const node = await startLaggingNode();
const stack = await startChannelStack({ X402_RPC_URL: node.url });
node.of = stack.sandbox.rpcUrl;
const { ledger, watch, claim, open, call, stop } = await startChannelJobs(stack);
test.after.always(async () => {
  await stop();
  node.stop();
});

const TABLES = ['public.channel', 'public.channel_watch', 'ledger.channel'];

test.serial(
  'after a restore, no voucher that was claimed before counts as private, whatever node answers',
  async (t) => {
    const channel = await open();
    await call(channel, PRICE);
    await call(channel, 2n * PRICE);
    await watch();
    const before = await Promise.all(TABLES.map((table) => ledger.query(`SELECT to_jsonb(x) AS row FROM ${table} x`)));
    await claim({ afterSeconds: 0, aboveMicroUsd: 1n });
    await stack.chain.node.mine({ blocks: 6 });
    t.is((await stack.chain.stateOf(channel)).totalClaimed, PRICE);
    // The database lacks the last seconds.
    for (const [i, table] of TABLES.entries()) {
      for (const { row } of before[i] ?? []) {
        await ledger.query(`DELETE FROM ${table}`);
        await ledger.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`, [
          row,
        ]);
      }
    }
    await ledger.query("UPDATE ledger.epoch SET identity = 'another'");
    await ledger.void(uuidv7(), 'cancelled');
    const { signature } = await wireVoucher(channel, PRICE);
    const stranger = async () =>
      (
        await ledger.holdRefund({
          reservationId: uuidv7(),
          channelId: channel.id,
          cumulativeMicroUsd: PRICE,
          signature,
          deadlineMs: Date.now() + 30_000,
        })
      ).state;
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
    await t.notThrowsAsync(call(channel, 3n * PRICE), 'its payer goes on');
    ledger.notAudited();
  },
);
