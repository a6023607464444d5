import { onlyRow } from '../../store/rows.ts';
import type { OverdueReservation } from '../contract/ledger.ts';
import { FUNCTIONS_SCHEMA } from './install-functions.ts';
import { runStatement } from './ledger-pool.ts';
import { readBigint, readDate, readText } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import type { SweepOptions, TrialLedgerOptions } from './trial-options.ts';

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

const MAX_ITEMS = 64;

export function createReads({ pool, network, terms }: TrialLedgerOptions) {
  const call = (name: string, parameters: string, values: readonly unknown[] = []) =>
    runStatement(pool, `SELECT * FROM ${FUNCTIONS_SCHEMA}.${name}(${parameters})`, [network, ...values]);
  const addBalance = createSettledBatch<string, bigint>({
    async send(addresses) {
      const rows = await call('balance', '$1, $2', [JSON.stringify(addresses)]);
      return rows.map(({ credit }) => (credit === null ? terms.grantMicroUsd : readBigint(credit)));
    },
    maxItems: MAX_ITEMS,
    maxBytes: Number.POSITIVE_INFINITY,
  });
  return {
    balance: (wallet: string) => addBalance(wallet.toLowerCase(), 0),
    async budget() {
      const { today, used } = onlyRow(await call('used_today', '$1'));
      const left = terms.dailyBudgetMicroUsd - readBigint(used);
      return { dayUtc: readText(today), remainingMicroUsd: left > 0n ? left : 0n };
    },
    async figures(): Promise<TrialFigures> {
      const { today, used, open, reserved, oldest } = onlyRow(await call('figures', '$1'));
      return {
        dayUtc: readText(today),
        usedMicroUsd: readBigint(used),
        open: Number(readBigint(open)),
        reservedMicroUsd: readBigint(reserved),
        oldestAtMs: oldest === null ? undefined : readDate(oldest).getTime(),
      };
    },
    async overdue({ graceMs, limit }: SweepOptions) {
      const rows = await call('overdue', "$1, $2::bigint * interval '1 millisecond', $3", [graceMs, limit]);
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
