import { Type } from 'typebox';
import { Address, Language, Latitude, Longitude, toAddress, UtcOffsetAt } from '../operation/address.ts';
import { defineOperation } from '../operation/operation.ts';

export const geocode = defineOperation({
  name: 'geocode',
  operationId: 'maps_geocode',
  path: '/api/v1/maps/geocode',
  summary: 'Find an address or place by its name',
  description:
    'Turns an address or place name into coordinates, a normalized address, an IANA time zone and the current UTC offset.',
  priceMicroUsd: 14_000n,
  timeoutMs: 10_000,
  request: Type.Object(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 2048,
        pattern: '\\S',
        description:
          'Address, place or point (52.52, 13.405). Tabs and line breaks count as spaces; no other control characters',
      }),
      language: Type.Optional(Language),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 5, default: 5, description: 'Most results; 5 by default' }),
      ),
      biasLatitude: Type.Optional(Latitude('Places near this point are preferred. Requires biasLongitude')),
      biasLongitude: Type.Optional(Longitude('Requires biasLatitude')),
    },
    {
      additionalProperties: false,
      dependentRequired: { biasLatitude: ['biasLongitude'], biasLongitude: ['biasLatitude'] },
    },
  ),
  response: Type.Object(
    {
      query: Type.String({ description: 'As it was sent' }),
      utcOffsetAt: UtcOffsetAt,
      count: Type.Integer({ minimum: 0, description: 'Number of results' }),
      results: Type.Array(Address, { description: 'Best first; empty if nothing was found' }),
    },
    { additionalProperties: false },
  ),
  requestExample: { query: 'München', language: 'en', limit: 1 },
  responseExample: {
    query: 'München',
    utcOffsetAt: '2026-07-01T12:00:00.000Z',
    count: 1,
    results: [
      {
        latitude: 48.13743,
        longitude: 11.57549,
        formattedAddress: 'Munich, Bavaria, Germany',
        addressLine: null,
        streetNumber: null,
        streetName: null,
        locality: 'Munich',
        postalCode: null,
        adminDistrict: 'Bavaria',
        adminDistrictCode: 'BY',
        adminDistrict2: 'Upper Bavaria',
        country: 'Germany',
        countryCode: 'DE',
        type: 'PopulatedPlace',
        confidence: 'High',
        matchCodes: ['Good'],
        timeZone: 'Europe/Berlin',
        utcOffset: '+02:00',
      },
    ],
  },
  check: ({ query }) => {
    // Line breaks and tabs are allowed: pasted addresses have them.
    return /(?!\s)\p{Cc}/u.test(query) ? 'query must not contain control characters other than white space' : undefined;
  },
  execute: async ({ query, language, limit, biasLatitude, biasLongitude }, { clients, ...settings }) => {
    const answer = await clients.maps.geocode({ query, language, limit, biasLatitude, biasLongitude }, settings);
    const { utcOffsetAt, count, results } = answer;
    return { query, utcOffsetAt, count, results: results.map(toAddress) };
  },
});
