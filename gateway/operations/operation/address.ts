import { type Static, Type } from 'typebox';
import type { Address as AddressMessage } from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { Nullable, NullableText } from './nullable.ts';

export const Latitude = (description: string) => Type.Number({ minimum: -90, maximum: 90, description });
export const Longitude = (description: string) => Type.Number({ minimum: -180, maximum: 180, description });

export const Language = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  description: 'BCP 47 tag: the language of names, where known; English by default',
});

export const UtcOffsetAt = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  description: 'The instant at which utcOffset applies, in UTC',
});

const TYPES = [
  'Address',
  'RoadBlock',
  'RoadIntersection',
  'Neighborhood',
  'PopulatedPlace',
  'Postcode1',
  'AdminDivision1',
  'AdminDivision2',
  'CountryRegion',
];
const MATCH_CODES = ['Good', 'Ambiguous', 'UpHierarchy'];

/** A result of geocode and of reverse-geocode. */
export const Address = Type.Object(
  {
    latitude: Nullable(Latitude(''), 'Degrees, WGS 84'),
    longitude: Nullable(Longitude(''), 'Degrees, WGS 84'),
    formattedAddress: NullableText('One line, in the format of the country'),
    addressLine: NullableText('Street and number, in the order of the country'),
    streetNumber: NullableText('Number of the house'),
    streetName: NullableText('Name of the street'),
    locality: NullableText('City, town or village'),
    postalCode: NullableText('Postcode'),
    adminDistrict: NullableText('Division of the first level: state, region, province'),
    adminDistrictCode: NullableText('Its ISO 3166-2 code, without the country'),
    adminDistrict2: NullableText('Division of the second level: county, district'),
    country: NullableText('Name of the country'),
    countryCode: NullableText('ISO 3166-1 alpha-2'),
    type: Nullable(Type.String({ enum: TYPES }), 'What kind of place this is'),
    confidence: Nullable(Type.String({ enum: ['High', 'Medium', 'Low'] }), 'Confidence of the match'),
    matchCodes: Type.Array(Type.String({ enum: MATCH_CODES }), {
      description:
        'Good: found. Ambiguous: other places fit too. UpHierarchy: the place was not found, and this is what contains it',
    }),
    timeZone: NullableText('IANA name of the time zone'),
    utcOffset: Nullable(Type.String({ pattern: '^[+-][0-9]{2}:[0-9]{2}$' }), 'Offset from UTC at utcOffsetAt'),
  },
  { additionalProperties: false },
);
export type Address = Static<typeof Address>;

/** An address of the service: unknown fields are absent there and null here. */
export function toAddress(message: AddressMessage): Address {
  return {
    latitude: message.latitude ?? null,
    longitude: message.longitude ?? null,
    formattedAddress: message.formattedAddress ?? null,
    addressLine: message.addressLine ?? null,
    streetNumber: message.streetNumber ?? null,
    streetName: message.streetName ?? null,
    locality: message.locality ?? null,
    postalCode: message.postalCode ?? null,
    adminDistrict: message.adminDistrict ?? null,
    adminDistrictCode: message.adminDistrictCode ?? null,
    adminDistrict2: message.adminDistrict2 ?? null,
    country: message.country ?? null,
    countryCode: message.countryCode ?? null,
    type: message.type ?? null,
    confidence: message.confidence ?? null,
    matchCodes: message.matchCodes,
    timeZone: message.timeZone ?? null,
    utcOffset: message.utcOffset ?? null,
  };
}
