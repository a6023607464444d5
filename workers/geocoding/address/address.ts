/** What kind of place an address names: the entity types of Azure Maps Search 2025-01-01. */
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
 * How a result relates to what was asked: `Good`, one of several that fit as well (`Ambiguous`), or what holds the
 * place that was asked for, which was itself not found (`UpHierarchy`).
 */
export type MatchCode = 'Good' | 'Ambiguous' | 'UpHierarchy';

/** A result of forward or reverse geocoding. What is not known is null, never guessed. */
export interface Address {
  /** Degrees, WGS 84. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly formattedAddress: string | null;
  /** Street and number as one line, in the order of the country. */
  readonly addressLine: string | null;
  readonly streetNumber: string | null;
  readonly streetName: string | null;
  readonly locality: string | null;
  readonly postalCode: string | null;
  /** Division of the first level: state, region, province. */
  readonly adminDistrict: string | null;
  /** ISO 3166-2, without the country and the hyphen. */
  readonly adminDistrictCode: string | null;
  /** Division of the second level: county, district. */
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
