/** A selection that was read. Its order of items does not depend on the request. Numbers are numerators at `scale`. */
export interface Selection {
  readonly scale: number;
  /** Ids ordered by code point. An item is referred to by its index here. */
  readonly ids: readonly string[];
  /** Attribute → the value of each item, for attributes that capacities or objectives name. */
  readonly values: ReadonlyMap<string, readonly bigint[]>;
  readonly choose: { readonly min: number; readonly max: number };
  readonly capacities: readonly { readonly of: string; readonly max: bigint }[];
  /** Ascending. */
  readonly require: readonly number[];
  readonly forbid: readonly number[];
  /** In the order of the request. The items of each group are ascending. */
  readonly atMostOne: readonly (readonly number[])[];
  readonly objectives: readonly { readonly of: string; readonly isMaximized: boolean }[];
  readonly nodeLimit: number;
}
