import type { Row } from '../model/row.ts';

/** Rows and groups over `size` items. */
export interface Domain {
  readonly size: number;
  readonly rows: readonly Row[];
  readonly groups: readonly (readonly number[])[];
  /** For each item, the first item with the same coefficients, gains and groups. */
  readonly kinds: readonly number[];
}
