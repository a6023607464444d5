import test from 'ava';
import type { ChannelAccount, ChannelCharge } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import {
  CHARGE_STATES,
  type ChannelChargeOutcome,
  HOLD_STATES,
  type RefundHoldOutcome,
} from '../../../../services/ledger/contract/outcomes.ts';
import type { LedgerStore } from '../../../../services/ledger/service/ledger-service.ts';
import type { StoredHold } from '../../../../services/ledger/store/charge.ts';
import { newCharge, newHold } from '../channel-fixture.ts';
import { newWallet } from '../fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../store/store-fixture.ts';
import { openClient, serveLedger } from './service-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const ACCOUNT: ChannelAccount = {
  fundedMicroUsd: 2n ** 53n - 1n,
  balanceMicroUsd: 5n,
  reservedMicroUsd: 0n,
  chargedMicroUsd: 7n,
  voucher: { cumulativeMicroUsd: 7n, signature: `0x${'ab'.repeat(65)}` },
  contract: { balance: 2n ** 63n - 1n, totalClaimed: 7n, refundNonce: 1n, withdrawRequestedAtS: 1_900_000_000n },
};
const EMPTY: ChannelAccount = { ...ACCOUNT, fundedMicroUsd: 0n, voucher: undefined, contract: undefined };

async function open(t: Parameters<typeof openTrialLedger>[0], store: Partial<LedgerStore>) {
  const { target } = await serveLedger(t, openTrialLedger(t, database), { store });
  return openClient(t, { target });
}

test('every outcome of a charge crosses the wire, and the charge unchanged', async (t) => {
  const outcomes = CHARGE_STATES.map((state, at): ChannelChargeOutcome => {
    const account = at % 2 === 0 ? ACCOUNT : EMPTY;
    return state === 'repeated' ? { state, account, repeatedId: 'earlier' } : { state, account };
  });
  const left = [...outcomes];
  const seen: ChannelCharge[] = [];
  const client = await open(t, {
    async charge(charge) {
      seen.push(charge);
      return left.shift() ?? Promise.reject(new Error('no outcome'));
    },
  });
  const identifier = { signer: newWallet(), hash: newCharge().fingerprint };
  const charges = outcomes.map((_, at) =>
    newCharge(at === 0 ? { holder: undefined, identifier: undefined } : { identifier, isNew: true }),
  );
  for (const [at, charge] of charges.entries()) {
    const outcome = outcomes[at];
    // A call that goes on needs no voucher.
    const isAdmitted = outcome?.state === 'reserved' || outcome?.state === 'posted';
    const account = isAdmitted ? { ...outcome.account, voucher: undefined } : outcome?.account;
    t.deepEqual(await client.charge(charge), { ...outcome, account });
  }
  t.deepEqual(seen, charges);
});

test('every outcome of the hold of a refund crosses the wire, and the hold unchanged', async (t) => {
  const outcomes = HOLD_STATES.map(
    (state): RefundHoldOutcome =>
      state === 'reserved' ? { state, account: ACCOUNT, amountMicroUsd: 5n } : { state, account: ACCOUNT },
  );
  const left = [...outcomes];
  const seen: StoredHold[] = [];
  const client = await open(t, {
    async holdRefund(hold) {
      seen.push(hold);
      return left.shift() ?? Promise.reject(new Error('no outcome'));
    },
  });
  const holds = outcomes.map((_, at) => newHold({ amountMicroUsd: at === 0 ? undefined : 5n }));
  for (const [at, hold] of holds.entries()) t.deepEqual(await client.holdRefund(hold), outcomes[at]);
  t.deepEqual(seen, holds);
});
