import type { Hex } from 'viem';
import type { Payment } from '../payment/payment.ts';
import { type GasBudget, isBurned } from '../signer/gas-budget.ts';
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
  readonly transaction: Hex;
  readonly used: bigint;
  readonly limit: bigint;
  /** Of what its gas was counted before it was sent, with one payment only. */
  readonly counted: string | undefined;
}

/**
 * Finds the payments whose payers may have used up the gas of their transaction. Code can be set and removed in one block, so
 * where no payer has code now, it may have been each whose payment the token does not explain.
 */
function findCulprits(unsettled: readonly Unsettled[], gas: Pick<MinedGas, 'used' | 'limit'>): readonly Unsettled[] {
  const coded = unsettled.filter(({ hasCode }) => hasCode);
  if (coded.length > 0) return coded;
  const isExplained = !isBurned(gas) && unsettled.every(({ reason }) => reason !== undefined);
  return isExplained ? [] : unsettled.filter(({ reason }) => reason !== USED);
}

/** Counts the gas of a mined transaction for the payers that may have used it up, and gives back what was not lost. */
export async function countLostGas(
  gasBudget: Pick<GasBudget, 'giveBack' | 'keep' | 'lose'>,
  unsettled: readonly Unsettled[],
  { transaction, counted, ...gas }: MinedGas,
): Promise<void> {
  const culprits = findCulprits(unsettled, gas);
  if (counted !== undefined) {
    await (culprits.length > 0 ? gasBudget.keep(counted, gas.used) : gasBudget.giveBack(counted));
    return;
  }
  if (culprits.length === 0) return;
  const payers = culprits.map(({ payment }) => payment.payer);
  await gasBudget.lose(transaction, payers, gas.used / BigInt(payers.length));
  await gasBudget.lose(transaction, ['code'], gas.used);
}
