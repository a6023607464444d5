import type { Row } from '../model/row.ts';

/** Rows and groups over `size` items. */
export interface Domain {
  readonly size: number;
  readonly rows: readonly Row[];
  readonly groups: readonly (readonly number[])[];
  /** Of each item, the first that is like it in everything that is asked. */
  readonly kinds: readonly number[];
}
