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

/** A GeoJSON FeatureCollection of points (RFC 7946), the answer of three of the providers. */
export const FeatureCollection = <Properties extends TSchema>(properties: Properties) =>
  Type.Object({
    features: Type.Array(
      Type.Object({
        properties,
        geometry: Type.Object({ type: Type.Literal('Point'), coordinates: Position }),
      }),
    ),
  });

/** Creates a reader of answers. Fields of the schema are checked, and other fields are ignored. */
export function createReader<Schema extends TSchema>(schema: Schema) {
  const check = Compile(schema);
  return (json: unknown) => {
    if (!check.Check(json)) throw new MalformedAnswer('not the documented shape');
    return json;
  };
}

/** The first text that is not blank; null if there is none. */
export function textOf(...values: readonly (string | null | undefined)[]): string | null {
  const text = values.map((value) => value?.trim()).find((value) => value !== undefined && value !== '');
  return text === undefined ? null : text;
}

/** ISO 3166-1 alpha-2 in capitals; null for a code of another kind. */
export function countryCodeOf(value: string | null | undefined): string | null {
  return value && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
}

/** Translates a provider's word; null for an unknown word. `Object.hasOwn` is needed because the word is not trusted. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, word: string | null | undefined): Value | null {
  if (word === null || word === undefined || !Object.hasOwn(table, word)) return null;
  const value = table[word];
  return value === undefined ? null : value;
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

/** Limit of reverse geocoding: no provider documents a number of results. */
export const MAX_REVERSE_RESULTS = 5;

/** Degrees without an exponent, which not every provider accepts. Seven decimals are about a centimeter. */
export const degrees = (value: number): string => value.toFixed(7).replace(/\.?0+$/, '');

export const longitudeFirst = ({ longitude, latitude }: Point): string => `${degrees(longitude)},${degrees(latitude)}`;

/** A BCP 47 tag; undefined for a malformed tag, which could not be sent in a header either. */
export const languageTag = (language: string | undefined): string | undefined =>
  language !== undefined && /^[a-z0-9]{1,8}(-[a-z0-9]{1,8})*$/i.test(language) ? language : undefined;
