import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { readBytes32 } from '../../../../services/payments/channels/channel-config.ts';
import { createChannelRecords } from '../../../../services/payments/channels/channel-records.ts';
import { newCharge, newHold } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const DEPOSIT = 100_000n;
const ANY = { afterSeconds: 0, aboveMicroUsd: 1n };

/** The epoch is of the whole database, so each test has its own. */
async function open(t: ExecutionContext) {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  const ledger = openTrialLedger(t, database);
  const vouchers = createVouchers({ database: database.database, network: ledger.network });
  const records = createChannelRecords(database.database, ledger.network);
  const publish = (channelId: string, signed: bigint) =>
    records.publish([{ channelId: readBytes32(channelId, 'id'), maxClaimableAmount: signed }]);
  return { ledger, vouchers, publish };
}

/** The database was restored, and the contract was read since. */
async function restoreAndWatch(ledger: OpenLedger): Promise<void> {
  await ledger.query("UPDATE ledger.epoch SET identity = 'another'");
  await ledger.void(uuidv7(), 'cancelled');
  await ledger.query(
    `INSERT INTO public.channel_watch (network, next_block, watched_at, epoch) SELECT $1, 1, ledger.clock(), max(number) FROM ledger.epoch
      ON CONFLICT (network) DO UPDATE SET epoch = excluded.epoch`,
    [ledger.network],
  );
}

async function pay(ledger: OpenLedger, charge: ReturnType<typeof newCharge>): Promise<void> {
  const { state } = await ledger.charge(charge);
  if (state !== 'reserved') throw new Error(state);
  await ledger.post(newAnswer(charge));
}

test('after a restore and a call that failed, the voucher of the latest charge stays private, and gets its refund', async (t) => {
  const { ledger, vouchers, publish } = await open(t);
  const first = newCharge();
  const { channelId } = first;
  const second = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await pay(ledger, first);
  await pay(ledger, second);
  await restoreAndWatch(ledger);
  // Nothing was lost. The next call settles the channel, and fails.
  const failed = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  t.is((await ledger.charge(failed)).state, 'reserved');
  await ledger.void(failed.reservationId, 'operation_failed');
  const { vouchers: due } = await vouchers.due(ANY);
  t.true(
    due.every(({ signedMicroUsd }) => signedMicroUsd < 28_000n),
    'the payer has not started a withdrawal, and its latest charged voucher is claimed',
  );
  for (const { signedMicroUsd } of due) await publish(channelId, signedMicroUsd);
  // The official client signs its refund for what was charged.
  const refund = newHold({ channelId, cumulativeMicroUsd: 28_000n, signature: second.signature });
  t.is((await ledger.holdRefund(refund)).state, 'reserved');
});

test('a cheaper call is possible after a withdrawal published a voucher for more than was charged', async (t) => {
  const { ledger, publish } = await open(t);
  const first = newCharge();
  const { channelId } = first;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await pay(ledger, first);
  await pay(ledger, newCharge({ channelId, cumulativeMicroUsd: 28_000n }));
  await restoreAndWatch(ledger);
  const failed = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  t.is((await ledger.charge(failed)).state, 'reserved');
  await ledger.void(failed.reservationId, 'operation_failed');
  // A part is withdrawn, and what was charged is claimed meanwhile.
  await publish(channelId, 42_000n);
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT - 1000n, claimedMicroUsd: 28_000n });
  t.is((await ledger.charge({ ...failed, reservationId: uuidv7() })).state, 'cumulative_below_claimed');
  const cheaper = newCharge({ channelId, cumulativeMicroUsd: 33_000n, amountMicroUsd: 5000n });
  t.is((await ledger.charge(cheaper)).state, 'reserved');
});

test('after a restore, a client that knows only what the contract shows can go on', async (t) => {
  const { ledger } = await open(t);
  const first = newCharge();
  const { channelId } = first;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await pay(ledger, first);
  await pay(ledger, newCharge({ channelId, cumulativeMicroUsd: 28_000n }));
  // The latest voucher is never claimed, so the contract always shows less than is charged.
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 14_000n });
  await restoreAndWatch(ledger);
  const { state } = await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 28_000n }));
  t.is(state, 'cumulative_mismatch', 'it is corrected');
  const next = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 28_000n } });
});

test('a contract that was read before a restore does not count as read after it, if the clock is behind', async (t) => {
  const { ledger } = await open(t);
  const first = newCharge();
  const { channelId } = first;
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await pay(ledger, first);
  await ledger.query(
    'INSERT INTO public.channel_watch (network, next_block, watched_at, epoch) SELECT $1, 1, ledger.clock(), max(number) FROM ledger.epoch',
    [ledger.network],
  );
  // A standby is promoted, whose clock is five seconds behind: ten are allowed. It lacks the last calls and claims.
  await ledger.setClock(nowMs - 5000);
  await ledger.query("UPDATE ledger.epoch SET identity = 'another'");
  // Anyone can read this voucher on the chain, where it is claimed since.
  const found = newHold({ channelId, cumulativeMicroUsd: 42_000n });
  t.is((await ledger.holdRefund(found)).state, 'unsettled');
});
