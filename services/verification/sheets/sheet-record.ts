export interface SheetName {
  readonly name: string;
  readonly version: string;
}

/** A stored sheet. */
export interface SheetRecord extends SheetName {
  readonly title: string;
  /** JCS. */
  readonly document: string;
  readonly sha256: string;
  /** RFC 3339, UTC, with microseconds; null for a sheet of the service. */
  readonly createdAt: string | null;
}
