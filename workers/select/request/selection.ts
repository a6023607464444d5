/** What is asked, read and in the one order that answers depend on. Numbers are numerators at `scale`. */
export interface Selection {
  readonly scale: number;
  /** By code point. An item is meant by its place from here on. */
  readonly ids: readonly string[];
  /** Of each item, of the attributes that capacities or objectives name. */
  readonly values: ReadonlyMap<string, readonly bigint[]>;
  readonly choose: { readonly min: number; readonly max: number };
  readonly capacities: readonly { readonly of: string; readonly max: bigint }[];
  /** Ascending. */
  readonly require: readonly number[];
  readonly forbid: readonly number[];
  /** As they were sent, each ascending. */
  readonly atMostOne: readonly (readonly number[])[];
  readonly objectives: readonly { readonly of: string; readonly isMaximized: boolean }[];
  readonly nodeLimit: number;
}
