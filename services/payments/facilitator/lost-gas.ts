import type { Payment } from '../payment/payment.ts';
import type { GasBudget, GasTaken } from '../signer/gas-budget.ts';
import { USED } from './verification.ts';

/** A payment that its mined transaction did not settle, and nobody else's did. */
export interface Unsettled {
  readonly payment: Payment;
  /** Whether the payer has code now. */
  readonly hasCode: boolean;
  /** Why the token would refuse the payment now; undefined where it would take it, or the node does not say. */
  readonly reason: string | undefined;
}

export interface MinedGas {
  readonly used: bigint;
  readonly limit: bigint;
  /** What was counted before the transaction was sent: for its only payment. */
  readonly taken: GasTaken | undefined;
}

/**
 * Finds the payments whose payers may have used up the gas of their transaction. Code can be set and removed in one block, so
 * where no payer has code now, it may have been each whose payment the token does not explain.
 */
function findCulprits(unsettled: readonly Unsettled[], { used, limit }: MinedGas): readonly Unsettled[] {
  const coded = unsettled.filter(({ hasCode }) => hasCode);
  if (coded.length > 0) return coded;
  // A call that the token refuses uses little gas.
  const isBurned = used * 4n > limit * 3n;
  const isExplained = !isBurned && unsettled.every(({ reason }) => reason !== undefined);
  return isExplained ? [] : unsettled.filter(({ reason }) => reason !== USED);
}

/** Counts the gas of a mined transaction for the payers that may have used it up, and gives back what was taken. */
export async function countLostGas(
  gasBudget: Pick<GasBudget, 'giveBack' | 'lose'>,
  unsettled: readonly Unsettled[],
  gas: MinedGas,
): Promise<void> {
  const culprits = findCulprits(unsettled, gas);
  const { taken, used } = gas;
  if (taken !== undefined) {
    await gasBudget.giveBack(taken.accounts, culprits.length > 0 ? taken.gas - used : taken.gas, taken.day);
    return;
  }
  for (const { payment } of culprits) await gasBudget.lose([payment.payer, 'code'], used / BigInt(culprits.length));
}
