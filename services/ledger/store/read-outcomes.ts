import { defined } from '../../../workers/exact/defined.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The rows of items, in their order. @throws {TypeError} for rows that do not answer the items in their order */
export function readItems<Item>(
  rows: readonly Row[],
  items: readonly Item[],
): readonly { readonly item: Item; readonly row: Row }[] {
  if (rows.length !== items.length) {
    throw new TypeError(`the ledger answered ${rows.length} outcomes for ${items.length} items`);
  }
  return rows.map((row, index) => {
    if (row['n'] !== BigInt(index + 1)) throw new TypeError(`unexpected position ${row['n']}`);
    return { item: defined(items[index]), row };
  });
}

/** @throws {TypeError} as `readItems` does, and for a state that is not known */
export function readOutcomes<State extends string, Item>(
  rows: readonly Row[],
  items: readonly Item[],
  states: readonly State[],
): readonly { readonly state: State; readonly item: Item; readonly row: Row }[] {
  return readItems(rows, items).map(({ item, row }) => {
    const state = states.find((known) => known === row['outcome']);
    if (state === undefined) throw new TypeError(`unexpected outcome ${row['outcome']}`);
    return { state, item, row };
  });
}

/** What a wallet has left. Undefined if the wallet is unknown. @throws {TypeError} */
export const readCredit = ({ credit }: Row): bigint | undefined => (credit === null ? undefined : readBigint(credit));

/** @throws {TypeError} */
export function readBigint(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError('the ledger answered no integer');
  return value;
}

/** @throws {TypeError} */
export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('the ledger answered no text');
  return value;
}

/** @throws {TypeError} */
export function readDate(value: unknown): Date {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new TypeError('the ledger answered no time');
  return value;
}
