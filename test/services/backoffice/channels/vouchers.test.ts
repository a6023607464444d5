import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { newChannel } from '../../ledger/channels/channel-fixture.ts';
import { retainCall } from '../retention/retained-calls.ts';
import { contractChannel, PRICE, startChannelStores } from './channel-stores.ts';

const keys = [{ id: 'one', secret: randomBytes(32) }] as const;
/** Old vouchers are due, whatever their amount. */
const OLD = { afterSeconds: 60, aboveMicroUsd: 1_000_000_000n };

const stores = await startChannelStores();
const { database } = stores;
test.after.always(() => stores.stop());

/** Retains a call of a channel, as the back office does before the call is charged. */
async function call(channelId: string, cumulativeMicroUsd: bigint): Promise<void> {
  const voucher = { channelId, cumulativeMicroUsd, signature: randomBytes(65) };
  await retainCall({ database, keys }, { access: 'channel', voucher });
}

/** The channels among these that are due, in their order. */
async function dueOf(ids: readonly string[], limits = OLD): Promise<readonly string[]> {
  const { vouchers } = await createVouchers(database).due(limits);
  return vouchers.map(({ channelId }) => channelId).filter((id) => ids.includes(id));
}

const claimed = (channelId: string, total: bigint) => contractChannel(channelId, { totalClaimed: `${total}` });

test('after a part was claimed, the rest is due only after a time, and nothing once all is claimed', async (t) => {
  const vouchers = createVouchers(database);
  const channelId = newChannel();
  await call(channelId, 3n * PRICE);
  await stores.age(channelId);
  const { at } = await vouchers.due(OLD);
  t.deepEqual(await dueOf([channelId]), [channelId]);
  await vouchers.noteClaimed([claimed(channelId, PRICE)], at);
  t.deepEqual(await dueOf([channelId]), []);
  // What is left counts for the amount, and what was claimed does not.
  t.deepEqual(await dueOf([channelId], { afterSeconds: 1_000_000, aboveMicroUsd: 2n * PRICE }), [channelId]);
  t.deepEqual(await dueOf([channelId], { afterSeconds: 1_000_000, aboveMicroUsd: 2n * PRICE + 1n }), []);
  await stores.age(channelId);
  t.deepEqual(await dueOf([channelId]), [channelId]);
  await vouchers.noteClaimed([claimed(channelId, 3n * PRICE)], at);
  t.deepEqual(await dueOf([channelId], { afterSeconds: 0, aboveMicroUsd: 0n }), []);
});

test('a claimed total that is older than the known one changes nothing', async (t) => {
  const vouchers = createVouchers(database);
  const channelId = newChannel();
  await call(channelId, 3n * PRICE);
  await vouchers.noteClaimed([claimed(channelId, 3n * PRICE)], new Date());
  await vouchers.noteClaimed([claimed(channelId, PRICE)], new Date());
  t.deepEqual(await dueOf([channelId], { afterSeconds: 0, aboveMicroUsd: 0n }), []);
});

test('channels with a withdrawal come first, and then the oldest', async (t) => {
  const [young, old, leaving] = [newChannel(), newChannel(), newChannel()];
  for (const id of [young, old, leaving]) await call(id, PRICE);
  await stores.age(old);
  const address = `0x${'1'.repeat(40)}`;
  await database
    .insertInto('channel')
    .values({
      channel_id: leaving,
      network: 'eip155:31337',
      payer: address,
      payer_authorizer: address,
      receiver: address,
      receiver_authorizer: address,
      token: address,
      withdraw_delay_s: 900n,
      salt: `0x${'2'.repeat(64)}`,
      first_block: 1n,
      withdraw_amount: PRICE,
      withdraw_requested_at_s: 1_900_000_000n,
    })
    .execute();
  t.deepEqual(await dueOf([young, old, leaving], { ...OLD, afterSeconds: 0 }), [leaving, old, young]);
  t.deepEqual(await dueOf([young, old, leaving]), [leaving, old]);
});
