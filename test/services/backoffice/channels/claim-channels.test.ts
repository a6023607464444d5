import test, { type ExecutionContext } from 'ava';
import type { ClaimChannelsRequest } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { BATCH, createClaimChannels } from '../../../../services/backoffice/channels/claim-channels.ts';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import type { Ledger } from '../../../../services/ledger/contract/ledger.ts';
import { newChannel, newCharge } from '../../ledger/channels/channel-fixture.ts';
import { openLedger } from '../../ledger/fixture.ts';
import { contractChannel, logger, PRICE, startChannelStores } from './channel-stores.ts';

/** Old vouchers are due, whatever their amount. */
const OLD = { afterSeconds: 60, aboveMicroUsd: 1_000_000_000n };

const stores = await startChannelStores();
test.after.always(() => stores.stop());
test.afterEach.always(() => stores.database.deleteFrom('channel_voucher').execute());

const open = (t: ExecutionContext, options: Partial<Parameters<typeof openLedger>[1]> = {}) =>
  openLedger(t, { url: stores.redisUrl, ...options });

/** Claims what is due of a contract that holds as much as given. @returns the channels of each request */
async function claim(ledger: Ledger, balance = 100n * PRICE): Promise<readonly (readonly string[])[]> {
  const asked: string[][] = [];
  const channels = {
    async claim({ claims }: Pick<ClaimChannelsRequest, 'claims'>) {
      asked.push(claims.map(({ voucher }) => String(voucher?.channelId)));
      const after = claims.map(({ voucher, totalClaimed }) => {
        const total = BigInt(totalClaimed) < balance ? totalClaimed : `${balance}`;
        return contractChannel(String(voucher?.channelId), { balance: `${balance}`, totalClaimed: total });
      });
      return { transactions: [], channels: after, refusedIds: [] };
    },
  };
  const vouchers = createVouchers(stores.database);
  await createClaimChannels({ vouchers, ledger, channels, limits: OLD, logger })(new AbortController().signal);
  return asked;
}

const due = async () =>
  (await createVouchers(stores.database).due(OLD)).vouchers.map(({ channelId }) => channelId).toSorted();

async function charge(ledger: Ledger, channelId: string, amountMicroUsd: bigint): Promise<void> {
  await ledger.fund({ channelId, usableMicroUsd: 100n * PRICE, block: 1n });
  const call = newCharge({ channelId, cumulativeMicroUsd: amountMicroUsd, amountMicroUsd });
  await ledger.charge(call);
  await ledger.post(call.reservationId);
}

test.serial('a ledger that lost charges postpones no channel, and the same ledger does once it is whole', async (t) => {
  let isBehind = true;
  const ledger = await open(t, {
    attest: async ({ sequence, ...position }) => ({ ...position, sequence: isBehind ? sequence + 1n : sequence }),
  });
  t.false(ledger.ready().ok);
  const channelId = newChannel();
  await stores.storeOld([channelId], PRICE);
  t.deepEqual(await claim(ledger), []);
  t.deepEqual(await due(), [channelId]);
  isBehind = false;
  t.true((await ledger.check()).ok);
  await claim(ledger);
  t.deepEqual(await due(), []);
});

test.serial('all channels that are due are claimed, once each, in requests of a hundred', async (t) => {
  const ledger = await open(t);
  const ids = Array.from({ length: 2 * BATCH + 1 }, newChannel);
  await stores.storeOld(ids, PRICE);
  await Promise.all(ids.map((id) => charge(ledger, id, PRICE)));
  const asked = await claim(ledger);
  t.deepEqual(
    asked.map(({ length }) => length),
    [BATCH, BATCH, 1],
  );
  t.deepEqual(asked.flat().toSorted(), ids.toSorted());
  t.deepEqual(await due(), []);
});

test.serial('a channel whose calls are all claimed is postponed, also if its voucher is for more', async (t) => {
  const ledger = await open(t);
  const channelId = newChannel();
  await stores.storeOld([channelId], 2n * PRICE);
  await charge(ledger, channelId, PRICE);
  t.deepEqual(await claim(ledger), [[channelId]]);
  // The contract shows nothing new the next time.
  await stores.age(channelId);
  t.deepEqual(await claim(ledger), [[channelId]]);
  t.deepEqual(await due(), []);
});

test.serial('a channel that holds less than was charged is postponed once all of it is claimed', async (t) => {
  const ledger = await open(t);
  const channelId = newChannel();
  await stores.storeOld([channelId], 3n * PRICE);
  await charge(ledger, channelId, 3n * PRICE);
  await claim(ledger, PRICE);
  await stores.age(channelId);
  t.deepEqual(await claim(ledger, PRICE), [[channelId]]);
  t.deepEqual(await due(), []);
});
