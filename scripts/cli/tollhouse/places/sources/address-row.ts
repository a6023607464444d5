/** An address of a source. Empty texts are unknown parts. */
export interface AddressRow {
  readonly latitude: number;
  readonly longitude: number;
  readonly number: string;
  readonly street: string;
  readonly town: string;
  readonly district: string;
  readonly region: string;
  readonly postcode: string;
}

/** A fault of an imported file. */
export class ImportError extends Error {
  readonly file: string;
  readonly line: number;

  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`);
    this.name = 'ImportError';
    this.file = file;
    this.line = line;
  }
}

const MAX_TEXT = 200;

/**
 * Checks what every source must have: a street, and a point on land or sea that is not (0, 0).
 * @returns the reason why a row cannot be used, or undefined
 */
export function faultOf({ latitude, longitude, street, town, number }: AddressRow): string | undefined {
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return 'the coordinates are not numbers';
  if (Math.abs(latitude) > 90)
    return `the latitude ${latitude} is not between -90 and 90; are latitude and longitude exchanged?`;
  if (Math.abs(longitude) > 180) return `the longitude ${longitude} is not between -180 and 180`;
  if (latitude === 0 && longitude === 0) return 'the point is 0, 0, which stands for an unknown place';
  if (street === '' && town === '') return 'the row has neither a street nor a town';
  if ([street, town, number].some((text) => text.length > MAX_TEXT))
    return `a text is longer than ${MAX_TEXT} characters`;
  return undefined;
}
