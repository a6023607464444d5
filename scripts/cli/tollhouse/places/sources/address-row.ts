/** An address of a source, or a town, if it has no street. Empty texts are unknown parts. */
export interface AddressRow {
  readonly latitude: number;
  readonly longitude: number;
  /** Of a row that has a name beside its address: a point of interest, or a part of a town. */
  readonly kind?: NamedKind;
  /** The name of a row with a kind. */
  readonly name?: string;
  /** Other names of a town, or of a row with a kind. */
  readonly otherNames?: readonly string[];
  /** Whether the source does not name the town, and it is the one around the point. */
  readonly isTownGuessed?: boolean;
  readonly number: string;
  readonly street: string;
  readonly town: string;
  readonly district: string;
  readonly region: string;
  readonly postcode: string;
}

export type NamedKind = 'poi' | 'neighborhood';

/** A fault of an imported file. */
export class ImportError extends Error {
  readonly file: string;
  /** The line, or another name of the place in the file, such as `block 3`. */
  readonly at: number | string;

  constructor(file: string, at: number | string, message: string) {
    super(`${file}:${at}: ${message}`);
    this.name = 'ImportError';
    this.file = file;
    this.at = at;
  }
}

const MAX_TEXT = 200;
/** Names of a set are lists of lines. */
const CONTROL = /\p{Cc}/u;

/**
 * Checks what every source must have: a street, a town or a name, and a point on land or sea that is not (0, 0).
 * @returns the reason why a row cannot be used, or undefined
 */
export function faultOf(row: AddressRow): string | undefined {
  const { latitude, longitude, number, street, town, district, region, postcode, name = '', otherNames = [] } = row;
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return 'the coordinates are not numbers';
  if (Math.abs(latitude) > 90)
    return `the latitude ${latitude} is not between -90 and 90; are latitude and longitude exchanged?`;
  if (Math.abs(longitude) > 180) return `the longitude ${longitude} is not between -180 and 180`;
  if (latitude === 0 && longitude === 0) return 'the point is 0, 0, which stands for an unknown place';
  if (street === '' && town === '' && name === '') return 'the row has neither a street nor a town';
  const texts = [number, street, town, district, region, postcode, name, ...otherNames];
  if (texts.some((text) => text.length > MAX_TEXT)) return `a text is longer than ${MAX_TEXT} characters`;
  if (CONTROL.test(texts.join(''))) return 'a text has control characters';
  return undefined;
}
