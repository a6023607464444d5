/** What a function answers for an item. The credit is undefined if the wallet is unknown. */
export interface Outcome<State extends string> {
  readonly state: State;
  readonly creditMicroUsd: bigint | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** @throws {TypeError} for rows that do not answer `count` items in their order */
export function readOutcomes<State extends string>(
  rows: readonly Row[],
  count: number,
  states: readonly State[],
): readonly Outcome<State>[] {
  if (rows.length !== count) throw new TypeError(`the ledger answered ${rows.length} outcomes for ${count} items`);
  return rows.map(({ n, outcome, credit }, index) => {
    const state = states.find((known) => known === outcome);
    if (n !== BigInt(index + 1) || state === undefined) throw new TypeError(`unexpected outcome ${n}: ${outcome}`);
    return { state, creditMicroUsd: credit === null ? undefined : readBigint(credit) };
  });
}

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
