import type { TrialBudget } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { onlyRow } from '../../store/rows.ts';
import type { OverdueOptions, OverdueReservation } from '../contract/ledger.ts';
import { callFunction } from './ledger-pool.ts';
import { readBigint, readDate, readText } from './read-outcomes.ts';
import type { TrialLedgerOptions } from './trial-options.ts';

/** What an operator watches. Amounts are micro-USD. */
export interface TrialFigures {
  /** YYYY-MM-DD. */
  readonly dayUtc: string;
  /** What trials spent and reserved of the day's budget. */
  readonly usedMicroUsd: bigint;
  readonly open: number;
  readonly reservedMicroUsd: bigint;
  /** Time of the oldest open reservation, in milliseconds since the epoch. */
  readonly oldestAtMs: number | undefined;
}

export function createReads({ pool, network, terms }: TrialLedgerOptions) {
  const call = (name: string, ...values: readonly unknown[]) => callFunction(pool, name, [network, ...values]);
  return {
    /** The rest of today's budget, for answers to unsigned requests. */
    async budget(): Promise<TrialBudget> {
      const { today, used } = onlyRow(await call('used_today'));
      const left = terms.dailyBudgetMicroUsd - readBigint(used);
      return { dayUtc: readText(today), remainingMicroUsd: left > 0n ? left : 0n };
    },
    async figures(): Promise<TrialFigures> {
      const { today, used, open, reserved, oldest } = onlyRow(await call('figures'));
      return {
        dayUtc: readText(today),
        usedMicroUsd: readBigint(used),
        open: Number(readBigint(open)),
        reservedMicroUsd: readBigint(reserved),
        oldestAtMs: oldest === null ? undefined : readDate(oldest).getTime(),
      };
    },
    /** Open reservations whose deadline passed more than `graceMs` ago, the oldest first. */
    async overdue({ graceMs, limit, of }: OverdueOptions) {
      const rows = await call('overdue', of === 'refunds', graceMs, limit);
      return rows.map(readReservation);
    },
  };
}

export function readReservation(row: Readonly<Record<string, unknown>>): OverdueReservation {
  return {
    reservationId: readText(row['id']),
    wallet: readText(row['account']),
    operation: readText(row['operation']),
    amountMicroUsd: readBigint(row['amount']),
    deadlineMs: readDate(row['deadline']).getTime(),
  };
}
