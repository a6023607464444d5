import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Address } from '../../../workers/geocoding/address/address.ts';
import { MalformedAnswer } from '../../platform/upstream/bounded-fetch.ts';
import type { Point } from '../geocoder/geocoder.ts';

/** Text that a provider may leave out. */
export const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const Position = Type.Tuple(
  [Type.Number({ minimum: -180, maximum: 180 }), Type.Number({ minimum: -90, maximum: 90 })],
  {
    // RFC 7946, section 3.1.1: an altitude may follow.
    additionalItems: true,
  },
);

/** A GeoJSON FeatureCollection of points (RFC 7946), as three of the providers answer. */
export const FeatureCollection = <Properties extends TSchema>(properties: Properties) =>
  Type.Object({
    features: Type.Array(
      Type.Object({
        properties,
        geometry: Type.Object({ type: Type.Literal('Point'), coordinates: Position }),
      }),
    ),
  });

/** Fields beyond the schema are let through; what the schema names must be as it says. */
export function createReader<Schema extends TSchema>(schema: Schema) {
  const check = Compile(schema);
  return (json: unknown) => {
    if (!check.Check(json)) throw new MalformedAnswer('not of the documented shape');
    return json;
  };
}

/** The first that says anything. */
export function textOf(...values: readonly (string | null | undefined)[]): string | null {
  return values.map((value) => value?.trim()).find((value) => value) ?? null;
}

/** ISO 3166-1 alpha-2 in capitals; null for a code of another kind. */
export function countryCodeOf(value: string | null | undefined): string | null {
  return value && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
}

/** Of the tables that translate a provider's words; `Object.hasOwn`, as the word comes from outside. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, word: string | null | undefined): Value | null {
  return word && Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}

export const UNKNOWN_ADDRESS: Address = {
  latitude: null,
  longitude: null,
  formattedAddress: null,
  addressLine: null,
  streetNumber: null,
  streetName: null,
  locality: null,
  postalCode: null,
  adminDistrict: null,
  adminDistrictCode: null,
  adminDistrict2: null,
  country: null,
  countryCode: null,
  type: null,
  confidence: null,
  matchCodes: [],
};

/** No provider promises a number of results of reverse geocoding. */
export const MAX_REVERSE_RESULTS = 5;

/** Degrees without an exponent, which not every provider reads; seven decimals are a centimetre. */
export const degrees = (value: number): string => value.toFixed(7).replace(/\.?0+$/, '');

export const longitudeFirst = ({ longitude, latitude }: Point): string => `${degrees(longitude)},${degrees(latitude)}`;

/** A BCP 47 tag as it is; undefined for what is none, and could not be sent in a header either. */
export const languageTag = (language: string | undefined): string | undefined =>
  language !== undefined && /^[a-z0-9]{1,8}(-[a-z0-9]{1,8})*$/i.test(language) ? language : undefined;
