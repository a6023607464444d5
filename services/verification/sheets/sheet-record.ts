export interface SheetName {
  readonly name: string;
  readonly version: string;
}

/** A sheet as it is kept. */
export interface SheetRecord extends SheetName {
  readonly title: string;
  /** JCS. */
  readonly document: string;
  readonly sha256: string;
  /** RFC 3339, UTC, with microseconds; null for one that comes with the service. */
  readonly createdAt: string | null;
}
