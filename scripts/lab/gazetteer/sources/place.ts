/** A populated place in GeoNames (https://www.geonames.org/export/codes.html). */
export interface GeoNamesPlace {
  readonly id: number;
  readonly name: string;
  /** Names in other languages and spellings, unordered. Their languages are not known. */
  readonly alternates: readonly string[];
  /** Its name before it was renamed, of which its languages still have translations. */
  readonly formerName?: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Feature code: PPL, PPLA, PPLC, PPLX … */
  readonly feature: string;
  readonly countryCode: string;
  /** Codes of its first-level and second-level division, or empty if unknown. */
  readonly admin1: string;
  readonly admin2: string;
  readonly population: number;
  /** IANA time zone name. */
  readonly timeZone: string;
}
