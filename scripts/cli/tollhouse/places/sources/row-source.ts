import type { AddressRow } from './address-row.ts';

/** A row, or why it cannot be used. `at`: where it is in its file, a line or the name of an element. */
export type SourceRow =
  | { readonly at: number | string; readonly row: AddressRow }
  | { readonly at: number | string; readonly fault: string };

/** Reads a format of address data. */
export interface RowSource {
  readonly name: string;
  /** @throws {ImportError} if the file is not in the format */
  read(file: string): AsyncIterable<SourceRow>;
}
