import type { AddressRow } from './address-row.ts';

export interface SourceRow {
  /** Where the row is in its file. The first line is 1. */
  readonly line: number;
  readonly row: AddressRow;
}

/** Reads a format of address data. */
export interface RowSource {
  readonly name: string;
  /** @throws {ImportError} if the file is not in the format */
  read(file: string): AsyncIterable<SourceRow>;
}
