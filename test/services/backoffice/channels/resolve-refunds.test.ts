import test from 'ava';
import { createResolveRefunds } from '../../../../services/backoffice/channels/resolve-refunds.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { newChannel, newHold } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { contractChannel, logger, PRICE } from './channel-stores.ts';

const stores = await createLedgerDatabase();
test.after.always(() => stores.stop());

const EMPTY = contractChannel(newChannel(), { balance: '0', blockNumber: 2n });
/** What the chain says of a refund, and what is held and free afterwards. Without an answer, it may have been paid. */
const CASES = [
  { answer: undefined, reserved: PRICE, balance: 0n },
  { answer: () => ({ $case: 'pending' as const, value: true }), reserved: PRICE, balance: 0n },
  { answer: () => ({ $case: 'refused' as const, value: 'refund_not_known' }), reserved: 0n, balance: PRICE },
  {
    answer: (channelId: string) => ({
      $case: 'refunded' as const,
      value: { transaction: '0x1', amount: `${PRICE}`, channel: { ...EMPTY, channelId } },
    }),
    reserved: 0n,
    balance: 0n,
  },
];

test('every refund without a gateway ends as the chain says, and one without an answer stops no other', async (t) => {
  const nowMs = Date.now();
  const ledger = openTrialLedger(t, stores);
  // More than are asked about at the same time.
  const refunds = Array.from({ length: 41 }, (_, index) => {
    const channelId = newChannel();
    const hold = newHold({ channelId, deadlineMs: nowMs + 30_000 });
    return { channelId, hold, expected: defined(CASES[index % CASES.length]) };
  });
  for (const { channelId, hold } of refunds) {
    await ledger.show(channelId, { balanceMicroUsd: PRICE });
    await ledger.holdRefund(hold);
  }
  await ledger.setClock(nowMs + 60_000);
  const resolveRefund = async (refundId: string) => {
    const { channelId, expected } = defined(refunds.find(({ hold }) => hold.reservationId === refundId));
    if (expected.answer === undefined) throw new Error('the chain does not answer');
    const outcome = expected.answer(channelId);
    // The payments service stores what it read.
    if (outcome.$case === 'refunded') await ledger.show(channelId, { balanceMicroUsd: 0n });
    return { outcome };
  };
  await createResolveRefunds({ ledger, channels: { resolveRefund }, logger })(new AbortController().signal);
  const accounts = await ledger.channels(refunds.map(({ channelId }) => channelId));
  t.deepEqual(
    accounts.map(({ reservedMicroUsd, balanceMicroUsd }) => [reservedMicroUsd, balanceMicroUsd]),
    refunds.map(({ expected: { reserved, balance } }) => [reserved, balance]),
  );
  t.deepEqual((await ledger.audit()).violations, []);
});
