import test, { type ExecutionContext } from 'ava';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { readChannelFigures } from '../../../../services/store/channel-figures.ts';
import { newChannel } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { age, chargeCall, owe, PRICE, settle } from './channel-stores.ts';

/** Old vouchers are due, whatever their amount. */
const OLD = { afterSeconds: 60, aboveMicroUsd: 1_000_000_000n };
const ANY = { afterSeconds: 0, aboveMicroUsd: 0n };
const DEPOSIT = { balanceMicroUsd: 100n * PRICE };

const stores = await createLedgerDatabase();
test.after.always(() => stores.stop());

function open(t: ExecutionContext) {
  const ledger = openTrialLedger(t, stores);
  const vouchers = createVouchers({ database: stores.database, network: ledger.network });
  const due = async (limits = OLD) => (await vouchers.due(limits)).vouchers.map(({ channelId }) => channelId);
  return { ledger, vouchers, due };
}

test('after a part was claimed, the rest is due only after a time, and nothing once all but the latest is', async (t) => {
  const { ledger, vouchers, due } = open(t);
  const channelId = newChannel();
  await ledger.show(channelId, DEPOSIT);
  await chargeCall(ledger, channelId, { amountMicroUsd: 3n * PRICE });
  t.deepEqual(await due(ANY), [], 'the latest voucher is not claimed');
  await chargeCall(ledger, channelId, { chargedMicroUsd: 3n * PRICE });
  t.deepEqual(await due(), []);
  await age(ledger, channelId);
  const { at } = await vouchers.due(OLD);
  t.deepEqual(await due(), [channelId]);
  await ledger.show(channelId, { ...DEPOSIT, claimedMicroUsd: PRICE });
  await vouchers.noteClaimed([channelId], at);
  t.deepEqual(await due(), []);
  // What is left counts for the amount, and what was claimed does not.
  t.deepEqual(await due({ afterSeconds: 1_000_000, aboveMicroUsd: 2n * PRICE }), [channelId]);
  t.deepEqual(await due({ afterSeconds: 1_000_000, aboveMicroUsd: 2n * PRICE + 1n }), []);
  await age(ledger, channelId);
  t.deepEqual(await due(), [channelId]);
  await ledger.show(channelId, { ...DEPOSIT, claimedMicroUsd: 3n * PRICE });
  await vouchers.noteClaimed([channelId], at);
  t.deepEqual(await due(ANY), []);
  await chargeCall(ledger, channelId, { chargedMicroUsd: 4n * PRICE });
  t.deepEqual([await due(), await due(ANY)], [[], [channelId]], 'the age is that of what can be claimed');
});

test('a channel that is postponed is due again after a time', async (t) => {
  const { ledger, vouchers, due } = open(t);
  const channelId = newChannel();
  await owe(ledger, channelId);
  const { at } = await vouchers.due(OLD);
  await vouchers.postpone([channelId], at);
  t.deepEqual([await due(), await due(ANY)], [[], [channelId]]);
});

test('a withdrawal that leaves what was charged changes nothing', async (t) => {
  const { ledger, vouchers, due } = open(t);
  const channelId = newChannel();
  await owe(ledger, channelId);
  const shown = (left: bigint) => ledger.show(channelId, { ...DEPOSIT, withdrawMicroUsd: 100n * PRICE - left });
  const seldom = { ...OLD, afterSeconds: 1_000_000 };
  const found = async () => (await vouchers.find([channelId])).map(({ totalMicroUsd }) => totalMicroUsd);
  const claimable = async () => (await readChannelFigures(stores.database, ledger.network)).claimableMicroUsd;
  await shown(2n * PRICE);
  t.deepEqual([await due(seldom), await due()], [[], [channelId]]);
  t.deepEqual([await found(), await claimable()], [[PRICE], PRICE]);
  await shown(2n * PRICE - 1n);
  t.deepEqual(await due(seldom), [channelId]);
  t.deepEqual([await found(), await claimable()], [[2n * PRICE], 2n * PRICE]);
});

test('channels that a withdrawal endangers come first, and then the oldest', async (t) => {
  const { ledger, due } = open(t);
  const [young, old, leaving] = [newChannel(), newChannel(), newChannel()];
  await owe(ledger, old);
  for (const id of [young, leaving]) {
    await ledger.show(id, DEPOSIT);
    await chargeCall(ledger, id);
  }
  await chargeCall(ledger, young, { chargedMicroUsd: PRICE });
  await ledger.show(leaving, { ...DEPOSIT, withdrawMicroUsd: 100n * PRICE });
  t.deepEqual(await due({ ...OLD, afterSeconds: 0 }), [leaving, old, young]);
  t.deepEqual(await due(), [leaving, old]);
});

test('a voucher for more than was charged is claimed only when a withdrawal would take what was charged', async (t) => {
  const { ledger, vouchers, due } = open(t);
  const channelId = newChannel();
  await ledger.show(channelId, DEPOSIT);
  await chargeCall(ledger, channelId);
  await settle(ledger, channelId);
  t.deepEqual(await due(ANY), []);
  t.deepEqual(await vouchers.find([channelId]), []);
  await ledger.show(channelId, { ...DEPOSIT, withdrawMicroUsd: 100n * PRICE });
  t.deepEqual(await due(), [channelId]);
  t.like((await vouchers.find([channelId]))[0], { totalMicroUsd: PRICE, signedMicroUsd: PRICE + 1n });
});

test('the age of what can be claimed counts a channel with a withdrawal and one call', async (t) => {
  const { ledger } = open(t);
  const channelId = newChannel();
  await ledger.show(channelId, DEPOSIT);
  await chargeCall(ledger, channelId);
  // Long ago: nothing was claimed since.
  await ledger.show(channelId, { ...DEPOSIT, withdrawMicroUsd: 100n * PRICE });
  const { oldestClaimableSeconds } = await readChannelFigures(stores.database, ledger.network);
  t.true(oldestClaimableSeconds > 0, 'claims fail, the money is about to be lost, and the figure says nothing is due');
});
