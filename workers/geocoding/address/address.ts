/** The kind of place that an address names: the entity types of Azure Maps Search 2025-01-01. */
export type AddressType =
  | 'Address'
  | 'RoadBlock'
  | 'RoadIntersection'
  | 'Neighborhood'
  | 'PopulatedPlace'
  | 'Postcode1'
  | 'AdminDivision1'
  | 'AdminDivision2'
  | 'CountryRegion';

export type Confidence = 'High' | 'Medium' | 'Low';

/**
 * How a result matches the query. `Good`: it is the place. `Ambiguous`: several places match equally well. `UpHierarchy`:
 * the place itself was not found, and the result contains it.
 */
export type MatchCode = 'Good' | 'Ambiguous' | 'UpHierarchy';

/** A result of forward or reverse geocoding. Unknown parts are null and never guessed. */
export interface Address {
  /** Degrees, WGS 84. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly formattedAddress: string | null;
  /** Street and number on one line, in the order that the country uses. */
  readonly addressLine: string | null;
  readonly streetNumber: string | null;
  readonly streetName: string | null;
  readonly locality: string | null;
  readonly postalCode: string | null;
  /** First-level division: state, region, province. */
  readonly adminDistrict: string | null;
  /** ISO 3166-2, without the country and the hyphen. */
  readonly adminDistrictCode: string | null;
  /** Second-level division: county, district. */
  readonly adminDistrict2: string | null;
  readonly country: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string | null;
  readonly type: AddressType | null;
  readonly confidence: Confidence | null;
  readonly matchCodes: readonly MatchCode[];
}

/** An address and the time there. */
export interface ZonedAddress extends Address {
  /** IANA name. */
  readonly timeZone: string | null;
  /** At the instant of the request, such as `+05:45`. */
  readonly utcOffset: string | null;
}
