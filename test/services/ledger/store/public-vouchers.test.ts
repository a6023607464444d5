import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import { newCharge, newHold } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const DEPOSIT = 100_000n;

async function pay(ledger: OpenLedger, charge: ReturnType<typeof newCharge>): Promise<void> {
  const { state } = await ledger.charge(charge);
  if (state !== 'reserved') throw new Error(state);
  await ledger.post(newAnswer(charge));
}

/** A channel whose voucher for 14,000 anyone can read on the chain. */
async function open(ledger: OpenLedger) {
  const first = newCharge();
  const { channelId, signature } = first;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await pay(ledger, first);
  await pay(ledger, newCharge({ channelId, cumulativeMicroUsd: 28_000n }));
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 14_000n });
  const found = { channelId, cumulativeMicroUsd: 14_000n, signature };
  const stranger = async () => [
    (await ledger.charge(newCharge(found))).state,
    (await ledger.holdRefund(newHold(found))).state,
  ];
  return { channelId, stranger };
}

test('who has a voucher from the chain cannot see when calls are made', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { channelId, stranger } = await open(ledger);
  const idle = await stranger();
  t.deepEqual(idle, ['cumulative_below_claimed', 'cumulative_below_claimed']);
  const call = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  t.is((await ledger.charge(call)).state, 'reserved');
  t.deepEqual(await stranger(), idle, 'polling counts the calls of the channel');
});

test('who has the latest voucher from the chain cannot see whether anything was charged since', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { channelId } = await open(ledger);
  // Everything was refunded, which claims the latest voucher, and the payer has deposited again.
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  const probe = async () =>
    (
      await ledger.holdRefund(
        newHold({ channelId, cumulativeMicroUsd: 28_000n, amountMicroUsd: MAX_MICRO_USD, reservationId: uuidv7() }),
      )
    ).state;
  const before = await probe();
  await pay(ledger, newCharge({ channelId, cumulativeMicroUsd: 42_000n }));
  t.is(await probe(), before);
});
