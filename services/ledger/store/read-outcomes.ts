import type pg from 'pg';
import { defined } from '../../../workers/exact/defined.ts';
import { readState } from '../contract/outcomes.ts';
import { callFunction } from './ledger-pool.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The database of a ledger, and the CAIP-2 network whose credit it holds. */
export interface LedgerPlace {
  readonly pool: pg.Pool;
  readonly network: string;
}

interface ItemCall<Item, State extends string> {
  /** A function of the ledger that answers each item with a state. */
  readonly name: string;
  readonly states: readonly State[];
  /** What the function reads of an item. JSON has no bigint, so amounts are text. */
  readonly format: (item: Item) => object;
  /** The parameters after the network; the items alone by default. */
  readonly parametersOf?: (asks: string, items: readonly Item[]) => readonly unknown[];
}

/** Creates a function that asks for items together, in one transaction. It throws as `callFunction` and `readOutcomes` do. */
export const itemCall =
  <Item, State extends string>(
    { pool, network }: LedgerPlace,
    { name, states, format, parametersOf = (asks) => [asks] }: ItemCall<Item, State>,
  ) =>
  async (items: readonly Item[]) => {
    const parameters = parametersOf(JSON.stringify(items.map(format)), items);
    return readOutcomes(await callFunction(pool, name, [network, ...parameters]), items, states);
  };

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
export const readOutcomes = <State extends string, Item>(
  rows: readonly Row[],
  items: readonly Item[],
  states: readonly State[],
): readonly { readonly state: State; readonly item: Item; readonly row: Row }[] =>
  readItems(rows, items).map(({ item, row }) => ({ state: readState(states, row['outcome']), item, row }));

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
