import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { ChannelAccount, ChannelCharge } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import {
  CHARGE_STATES,
  type ChannelChargeOutcome,
  HOLD_STATES,
  RESERVE_STATES,
  type RefundHoldOutcome,
  type TrialOutcome,
} from '../../../../services/ledger/contract/outcomes.ts';
import type { LedgerStore } from '../../../../services/ledger/service/ledger-service.ts';
import type { StoredHold } from '../../../../services/ledger/store/charge.ts';
import { newCharge, newHold } from '../channel-fixture.ts';
import { newReservation, newWallet } from '../fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../store/store-fixture.ts';
import { answerFor, openClient, serveLedger } from './service-fixture.ts';

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

/** Gives these outcomes one after the other, and keeps what it was asked. */
function giving<Item, Outcome>(outcomes: readonly Outcome[]) {
  const seen: Item[] = [];
  const give = async (item: Item) => {
    seen.push(item);
    return outcomes[seen.length - 1] ?? Promise.reject(new Error('no outcome'));
  };
  return { seen, give };
}

test('every state of a reserve crosses the wire', async (t) => {
  const outcomes: readonly TrialOutcome[] = RESERVE_STATES.map((state) =>
    state === 'lock_lost' ? { state } : { state, balanceMicroUsd: 5n },
  );
  const client = await open(t, { reserve: giving(outcomes).give });
  for (const outcome of outcomes) t.deepEqual(await client.reserve(newReservation()), outcome);
});

test('every outcome of a charge crosses the wire, and the charge unchanged', async (t) => {
  const outcomes = CHARGE_STATES.map((state, at): ChannelChargeOutcome => {
    const account = at % 2 === 0 ? ACCOUNT : EMPTY;
    return state === 'repeated' ? { state, account, repeatedId: 'earlier' } : { state, account };
  });
  const { seen, give } = giving<ChannelCharge, ChannelChargeOutcome>(outcomes);
  const client = await open(t, { charge: give });
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
  const { seen, give } = giving<StoredHold, RefundHoldOutcome>(outcomes);
  const client = await open(t, { holdRefund: give });
  const holds = outcomes.map((_, at) => newHold({ amountMicroUsd: at === 0 ? undefined : 5n }));
  for (const [at, hold] of holds.entries()) t.deepEqual(await client.holdRefund(hold), outcomes[at]);
  t.deepEqual(seen, holds);
});

test('items that wait together have their own outcomes, in order', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { target } = await serveLedger(t, ledger);
  const client = await openClient(t, { target });
  const trials = Array.from({ length: 150 }, (_, at) => newReservation({ amountMicroUsd: BigInt(at + 1) }));
  const reserved = await Promise.all(trials.map(client.reserve));
  t.deepEqual(
    reserved,
    trials.map(({ amountMicroUsd }) => ({ state: 'reserved', balanceMicroUsd: 50_000n - amountMicroUsd })),
  );
  const settled = await Promise.all(
    trials.map(async (trial, at) => {
      if (at % 3 === 0) return (await client.void(trial.reservationId, 'operation_failed')).state;
      if (at % 3 === 1) return (await client.post(answerFor(trial, 'x'.repeat(at)))).state;
      return (await client.post(answerFor({ reservationId: uuidv7() }))).state;
    }),
  );
  t.deepEqual(
    settled,
    trials.map((_, at) => ['voided', 'posted', 'unknown'][at % 3]),
  );
  t.like(await ledger.audit(), { pending: 50, violations: [] });
});
