import test from 'ava';
import type { ChannelAccount, ChannelCharge, RefundHold } from '../../../../services/ledger/contract/channels.ts';
import {
  type ChannelChargeOutcome,
  isIdentifierDenial,
  type RefundHoldOutcome,
} from '../../../../services/ledger/contract/outcomes.ts';
import { CHANNEL_STATES } from '../../../../services/ledger/contract/states.ts';
import type { LedgerStore } from '../../../../services/ledger/service/ledger-store.ts';
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
};
const EMPTY: ChannelAccount = { ...ACCOUNT, fundedMicroUsd: 0n, voucher: undefined };

async function open(t: Parameters<typeof openTrialLedger>[0], store: Partial<LedgerStore>) {
  const { target } = await serveLedger(t, openTrialLedger(t, database), { store });
  return openClient(t, { target });
}

test('every outcome of a charge crosses the wire, and the charge unchanged', async (t) => {
  const outcomes = Object.keys(CHANNEL_STATES).map((state, at) => ({
    state,
    account: at % 2 === 0 ? ACCOUNT : EMPTY,
    ...(state === 'repeated' && { reservationId: 'earlier' }),
  })) as readonly ChannelChargeOutcome[];
  const left = [...outcomes];
  const seen: ChannelCharge[] = [];
  const client = await open(t, {
    async charge(charge) {
      seen.push(charge);
      return left.shift() ?? Promise.reject(new Error('no outcome'));
    },
  });
  const { holder: _, ...unheld } = newCharge();
  const identifier = { signer: newWallet(), hash: newCharge().fingerprint };
  const charges = outcomes.map((__, at) => (at === 0 ? unheld : newCharge({ identifier, isNew: true })));
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
  const states = Object.keys(CHANNEL_STATES).filter((state) => state !== 'repeated' && !isIdentifierDenial(state));
  const outcomes = states.map((state) => ({
    state,
    account: ACCOUNT,
    ...(state === 'reserved' && { amountMicroUsd: 5n }),
  })) as readonly RefundHoldOutcome[];
  const left = [...outcomes];
  const seen: RefundHold[] = [];
  const client = await open(t, {
    async holdRefund(hold) {
      seen.push(hold);
      return left.shift() ?? Promise.reject(new Error('no outcome'));
    },
  });
  const holds = outcomes.map((_, at) => newHold(at === 0 ? {} : { amountMicroUsd: 5n }));
  for (const [at, hold] of holds.entries()) t.deepEqual(await client.holdRefund(hold), outcomes[at]);
  t.deepEqual(seen, holds);
});
