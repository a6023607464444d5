import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { GasBudget } from '../signer/gas-budget.ts';
import type { SettlementReport } from './facilitator.ts';

/** A payment whose transaction was mined. */
export interface Examined {
  readonly payment: Pick<Payment, 'payer'>;
  /** Whether the payer has code now. */
  readonly hasCode: boolean;
  /** undefined: the token would take the payment now. `unsent`: the node does not answer. */
  readonly report: Exclude<SettlementReport, { readonly kind: 'unknown' }> | undefined;
}

export interface MinedGas {
  readonly transaction: Hex;
  readonly used: bigint;
  /** For which its gas is reserved, with one payment only. */
  readonly cause: string | undefined;
}

/** What a transaction costs besides its calls: 25,000, and 17,100 for the first transfer to an address. */
const GAS_OF_TRANSACTION = 45_000n;
/** Most that the call of a payer without code costs: 47,000 where it settles, and 42,000 where the token refuses it. */
const GAS_OF_PLAIN_CALL = 48_000n;

/** What a transaction used beyond its settlements, and the refusals that the token explains for payers without code. */
function excessOf(examined: readonly Examined[], used: bigint): bigint {
  const plain = examined.filter(({ hasCode, report }) =>
    report?.kind === 'refused' ? !hasCode : report?.kind === 'settled',
  );
  const excess = plain.length === 0 ? used : used - GAS_OF_TRANSACTION - BigInt(plain.length) * GAS_OF_PLAIN_CALL;
  return excess < 0n ? 0n : excess;
}

/**
 * Finds who may have used up the gas of a transaction. Code can be set and removed in one block, and the authorization
 * cancelled and the tokens moved. So where no payer has code now, it may have been each whose payment is not settled.
 */
function findCulprits(unsettled: readonly Examined[]): readonly Hex[] {
  const coded = unsettled.filter(({ hasCode }) => hasCode);
  return [...new Set((coded.length > 0 ? coded : unsettled).map(({ payment }) => payment.payer))];
}

/**
 * Counts the gas that a mined transaction lost.
 * @returns the shares of payers whose payments are settled alone now. They are counted for those that do not settle then either
 */
export async function countMined(
  { gasBudget, countGas }: { readonly gasBudget: Pick<GasBudget, 'end' | 'lose'>; readonly countGas: CountGas },
  { transaction, used, cause }: MinedGas,
  examined: readonly Examined[],
): Promise<(payer: Hex) => bigint> {
  const unsettled = examined.filter(({ report }) => report?.kind !== 'settled');
  const excess = unsettled.length === 0 ? 0n : excessOf(examined, used);
  if (cause !== undefined) {
    // Without an answer of the node, it stays on its way until the chain is asked again.
    if (unsettled.some(({ report }) => report?.kind === 'unsent')) return noShare;
    const lost = unsettled.length === 0 ? 0n : used;
    await countGas({ transaction }, () => gasBudget.end(cause, lost, excess > 0n ? true : undefined));
    return noShare;
  }
  if (excess === 0n) return noShare;
  const culprits = findCulprits(unsettled);
  const share = excess / BigInt(culprits.length);
  const decided = examined.length === 1 ? unsettled : unsettled.filter(({ report }) => report !== undefined);
  const counted = culprits.filter((culprit) => decided.some(({ payment }) => payment.payer === culprit));
  await countGas({ transaction }, async () => {
    await gasBudget.lose(transaction, ['code'], excess);
    await gasBudget.lose(transaction, counted, share);
  });
  return (payer) => (culprits.includes(payer) ? share : 0n);
}

const noShare = () => 0n;

/** Pauses before gas is counted again. */
const PAUSES_MS = [1000, 10_000, 60_000];

/** Counts the gas of a mined transaction. Never fails: it tries again in the background when the database does not answer. */
export type CountGas = (fields: Readonly<Record<string, string>>, count: () => Promise<void>) => Promise<void>;

/** `count` may be repeated after it succeeded: gas is counted once for its cause. */
export function createGasCounter(logger: Logger): CountGas {
  const logError = createRepeatedErrorLog({ logger, message: 'lost gas could not be counted yet' });
  return async (fields, count) => {
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
      logError(error, { fields });
      void countLater();
    });
  };
}
