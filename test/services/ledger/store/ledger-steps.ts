import { newCharge } from '../channel-fixture.ts';
import { newAnswer, type newTrial, type OpenLedger } from './store-fixture.ts';

// Steps that tests of many files take.

export const DEPOSIT = 100_000n;

/** Reserves and posts a trial. */
export async function spend(ledger: OpenLedger, trial: ReturnType<typeof newTrial>): Promise<void> {
  await ledger.reserve(trial);
  await ledger.post(newAnswer(trial));
}

/** Reserves and posts a call of a channel. */
export async function pay(ledger: OpenLedger, charge: ReturnType<typeof newCharge>): Promise<void> {
  const { state } = await ledger.charge(charge);
  if (state !== 'reserved') throw new Error(state);
  await ledger.post(newAnswer(charge));
}

/** The first call of a channel that has a deposit. */
export async function fundedCall(ledger: OpenLedger, given?: Parameters<typeof newCharge>[0]) {
  const charge = newCharge(given);
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  return charge;
}

/** The first call of a channel, which was charged. */
export async function paidCall(ledger: OpenLedger, given?: Parameters<typeof newCharge>[0]) {
  const charge = await fundedCall(ledger, given);
  await pay(ledger, charge);
  return charge;
}
