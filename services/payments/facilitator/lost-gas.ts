import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { GasBudget } from '../signer/gas-budget.ts';

/** A payment that its mined transaction did not settle, and nobody else's did. */
export interface Unsettled {
  readonly payment: Pick<Payment, 'payer'>;
  /** Whether the payer has code now. */
  readonly hasCode: boolean;
  /** Why the token would refuse the payment now; undefined where it would take it, or the node does not say. */
  readonly reason: string | undefined;
}

export interface MinedGas {
  readonly transaction: Hex;
  readonly used: bigint;
  /** How many payments it settled. */
  readonly settled: number;
  /** Of what its gas was counted before it was sent, with one payment only. */
  readonly counted: string | undefined;
}

/** What a transaction costs besides its calls: 25,000, and 17,100 for the first transfer to an address. */
const GAS_OF_TRANSACTION = 45_000n;
/** Most that the call of a payer without code costs: 47,000 where it settles, and 42,000 where the token refuses it. */
const GAS_OF_PLAIN_CALL = 48_000n;

/** What a transaction used beyond its settlements, and the refusals that the token explains for payers without code. */
function excessOf(unsettled: readonly Unsettled[], { used, settled }: Pick<MinedGas, 'used' | 'settled'>): bigint {
  const refused = unsettled.filter(({ hasCode, reason }) => !hasCode && reason !== undefined);
  const plain = BigInt(settled + refused.length);
  return plain === 0n ? used : used - GAS_OF_TRANSACTION - plain * GAS_OF_PLAIN_CALL;
}

/**
 * Finds who may have used up the gas of a transaction. Code can be set and removed in one block, and the authorization
 * cancelled and the tokens moved. So where no payer has code now, it may have been each whose payment is not settled.
 */
function findCulprits(unsettled: readonly Unsettled[]): readonly Hex[] {
  const coded = unsettled.filter(({ hasCode }) => hasCode);
  return [...new Set((coded.length > 0 ? coded : unsettled).map(({ payment }) => payment.payer))];
}

/**
 * Counts the gas that a mined transaction lost, for the payers that may have used it up, in equal shares. Where it is counted
 * for its payer already, only what was not used is given back.
 */
export async function countLostGas(
  gasBudget: Pick<GasBudget, 'giveBack' | 'keep' | 'lose'>,
  unsettled: readonly Unsettled[],
  { transaction, counted, ...gas }: MinedGas,
): Promise<void> {
  const cause = counted ?? transaction;
  if (counted !== undefined) await (unsettled.length > 0 ? gasBudget.keep(cause, gas.used) : gasBudget.giveBack(cause));
  const excess = excessOf(unsettled, gas);
  const payers = findCulprits(unsettled);
  if (excess <= 0n || payers.length === 0) return;
  await gasBudget.lose(cause, payers, excess / BigInt(payers.length));
  await gasBudget.lose(cause, ['code'], excess);
}

/** Pauses before lost gas is counted again. */
const PAUSES_MS = [1000, 10_000, 60_000];

/**
 * Counts lost gas, and tries again in the background when the database does not answer: it may be counted twice, and counts
 * once. Never fails.
 */
export function createLostGasCounter(
  gasBudget: Pick<GasBudget, 'giveBack' | 'keep' | 'lose'>,
  logger: Logger,
): (unsettled: readonly Unsettled[], gas: MinedGas) => Promise<void> {
  const logError = createRepeatedErrorLog({ logger, message: 'lost gas could not be counted yet' });
  return async (unsettled, gas) => {
    const count = () => countLostGas(gasBudget, unsettled, gas);
    async function countLater() {
      for (const pauseMs of PAUSES_MS) {
        await delay(pauseMs, undefined, { ref: false });
        const isCounted = await count().then(
          () => true,
          () => false,
        );
        if (isCounted) return;
      }
    }
    await count().catch((error: unknown) => {
      logError(error, { fields: { transaction: gas.transaction } });
      void countLater();
    });
  };
}
