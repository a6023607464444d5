import { defined } from '../../../exact/defined.ts';
import type { RowMoney } from '../../bounds/payees.ts';
import { describeAmount } from '../words/amount.ts';
import { listed, plural } from '../words/escape.ts';

/** What goes to one payee. `rows` is 0 for one that no row has. */
export interface Tally {
  readonly rows: number;
  /** By currency. Undefined: nothing limits it. */
  readonly money: ReadonlyMap<string, bigint> | undefined;
  readonly scale: number;
}

export function tallied<Key>(keys: readonly Key[], money: readonly RowMoney[], scale: number): Map<Key, Tally> {
  const found = new Map<Key, { rows: number; money: Map<string, bigint> | undefined; readonly scale: number }>();
  for (const [index, key] of keys.entries()) {
    const tally = found.get(key) ?? { rows: 0, money: new Map<string, bigint>(), scale };
    found.set(key, tally);
    tally.rows += 1;
    const moved = money[index];
    if (moved === undefined) tally.money = undefined;
    else for (const [currency, amount] of moved) tally.money?.set(currency, (tally.money.get(currency) ?? 0n) + amount);
  }
  return found;
}

/** The sum of several, of which there is at least one. */
export function sumOf(all: readonly Tally[]): Tally {
  const ofAll = all.map(() => '');
  const money = all.map((tally) => tally.money);
  const sum = defined(tallied(ofAll, money, defined(all[0]).scale).get(''));
  return { ...sum, rows: all.reduce((rows, tally) => rows + tally.rows, 0) };
}

/** That of amounts with their units. */
const MAX_SCALE = 36;

/** In units of the smallest scale, so that versions of a tool can be compared. */
export const amountIn = ({ money, scale }: Tally, currency: string): bigint =>
  (money?.get(currency) ?? 0n) * 10n ** BigInt(MAX_SCALE - scale);

/** "3 rows, 30.00 EUR" */
export const sumInWords = (tally: Tally): string => [plural(tally.rows, 'row'), moneyInWords(tally)].join(', ');

const moneyInWords = ({ money, scale }: Tally): string =>
  money === undefined
    ? '**no limit**'
    : listed(
        [...money]
          .toSorted(([one], [next]) => (one < next ? -1 : 1))
          .map(([currency, amount]) => `${describeAmount(amount, scale)} ${currency}`),
      );
