import { Type } from 'typebox';
import { Address, Language, Latitude, Longitude, toAddress, UtcOffsetAt } from '../operation/address.ts';
import { defineOperation } from '../operation/operation.ts';

export const reverseGeocode = defineOperation({
  name: 'reverse-geocode',
  operationId: 'maps_reverse-geocode',
  path: '/api/v1/maps/reverse-geocode',
  summary: 'Find the address or place at coordinates',
  description:
    'Turns latitude and longitude into a normalized address, structured address components, an IANA time zone and the current UTC offset.',
  priceMicroUsd: 14_000n,
  timeoutMs: 10_000,
  request: Type.Object(
    {
      latitude: Latitude('Degrees, WGS 84'),
      longitude: Longitude('Degrees, WGS 84'),
      language: Type.Optional(Language),
    },
    { additionalProperties: false },
  ),
  response: Type.Object(
    {
      coordinates: Type.Object(
        { latitude: Latitude('As it was sent'), longitude: Longitude('As it was sent') },
        { additionalProperties: false, description: 'The coordinates of the request' },
      ),
      utcOffsetAt: UtcOffsetAt,
      count: Type.Integer({ minimum: 0, description: 'Number of results' }),
      results: Type.Array(Address, { description: 'Best first; empty on the open sea' }),
    },
    { additionalProperties: false },
  ),
  requestExample: { latitude: 48.2082, longitude: 16.3738 },
  responseExample: {
    coordinates: { latitude: 48.2082, longitude: 16.3738 },
    utcOffsetAt: '2026-07-01T12:00:00.000Z',
    count: 1,
    results: [
      {
        latitude: 48.20849,
        longitude: 16.37208,
        formattedAddress: 'Vienna, Austria',
        addressLine: null,
        streetNumber: null,
        streetName: null,
        locality: 'Vienna',
        postalCode: null,
        adminDistrict: 'Vienna',
        adminDistrictCode: '9',
        adminDistrict2: 'Wien Stadt',
        country: 'Austria',
        countryCode: 'AT',
        type: 'PopulatedPlace',
        confidence: 'High',
        matchCodes: ['Good'],
        timeZone: 'Europe/Vienna',
        utcOffset: '+02:00',
      },
    ],
  },
  execute: async ({ latitude, longitude, language }, { clients, ...settings }) => {
    // Turns -0 into 0.
    const coordinates = { latitude: latitude + 0, longitude: longitude + 0 };
    const answer = await clients.maps.reverseGeocode({ ...coordinates, language }, settings);
    const { utcOffsetAt, count, results } = answer;
    return { coordinates, utcOffsetAt, count, results: results.map(toAddress) };
  },
});
