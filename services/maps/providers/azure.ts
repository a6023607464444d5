import { type Static, Type } from 'typebox';
import type { Address, AddressType, Confidence, MatchCode } from '../../../workers/geocoding/address/address.ts';
import { createUpstream, type ProviderOptions } from '../../platform/upstream/upstream.ts';
import type { UpstreamGeocoder } from '../geocoder/geocoder.ts';
import {
  countryCodeOf,
  createReader,
  FeatureCollection,
  languageTag,
  longitudeFirst,
  lookUp,
  MAX_REVERSE_RESULTS,
  OptionalText,
  textOf,
} from './answers.ts';

const API_VERSION = '2025-01-01';
const BASE_URL = new URL('https://atlas.microsoft.com');

const Properties = Type.Object({
  type: OptionalText,
  confidence: OptionalText,
  matchCodes: Type.Optional(Type.Array(Type.String())),
  address: Type.Optional(
    Type.Object({
      formattedAddress: OptionalText,
      addressLine: OptionalText,
      streetName: OptionalText,
      streetNumber: OptionalText,
      locality: OptionalText,
      postalCode: OptionalText,
      adminDistricts: Type.Optional(Type.Array(Type.Object({ name: OptionalText, shortName: OptionalText }))),
      countryRegion: Type.Optional(Type.Object({ name: OptionalText, ISO: OptionalText })),
    }),
  ),
});
const Answer = FeatureCollection(Properties);
const readAnswer = createReader(Answer);

const TYPES: Readonly<Record<AddressType, AddressType>> = {
  Address: 'Address',
  RoadBlock: 'RoadBlock',
  RoadIntersection: 'RoadIntersection',
  Neighborhood: 'Neighborhood',
  PopulatedPlace: 'PopulatedPlace',
  Postcode1: 'Postcode1',
  AdminDivision1: 'AdminDivision1',
  AdminDivision2: 'AdminDivision2',
  CountryRegion: 'CountryRegion',
};
const CONFIDENCES: Readonly<Record<Confidence, Confidence>> = { High: 'High', Medium: 'Medium', Low: 'Low' };
const MATCH_CODES: Readonly<Record<MatchCode, MatchCode>> = {
  Good: 'Good',
  Ambiguous: 'Ambiguous',
  UpHierarchy: 'UpHierarchy',
};

export interface AzureOptions extends Omit<ProviderOptions, 'baseUrl'> {
  /** https://atlas.microsoft.com by default. */
  readonly baseUrl?: URL;
  /** Key of a subscription to Azure Maps. */
  readonly key: string;
}

/**
 * Azure Maps Search 2025-01-01: Get Geocoding, Get Reverse Geocoding. Type, confidence and match codes are those of Azure
 * Maps. Undocumented values count as unknown.
 */
export function createAzureGeocoder({ baseUrl = BASE_URL, key, ...options }: AzureOptions): UpstreamGeocoder {
  const upstream = createUpstream('azure', { ...options, baseUrl });
  // The key is a header and not a query parameter, because proxies log URLs.
  const headersFor = (language: string | undefined) => ({
    'subscription-key': key,
    'accept-language': languageTag(language),
  });
  return {
    geocode: ({ query, language, limit, bias }, caller) =>
      upstream.get(
        {
          path: '/geocode',
          query: { 'api-version': API_VERSION, query, top: limit, coordinates: bias && longitudeFirst(bias) },
          headers: headersFor(language),
          read: (json) => readAnswer(json).features.slice(0, limit).map(toAddress),
        },
        caller,
      ),
    reverse: ({ point, language }, caller) =>
      upstream.get(
        {
          path: '/reverseGeocode',
          query: { 'api-version': API_VERSION, coordinates: longitudeFirst(point) },
          headers: headersFor(language),
          read: (json) => readAnswer(json).features.slice(0, MAX_REVERSE_RESULTS).map(toAddress),
        },
        caller,
      ),
  };
}

function toAddress({ geometry, properties }: Static<typeof Answer>['features'][number]): Address {
  const [longitude, latitude] = geometry.coordinates;
  // Azure Maps leaves out what it does not know.
  const { address = {}, matchCodes = [] } = properties;
  const { adminDistricts: [first, second] = [] } = address;
  const code = codeOf(first?.shortName);
  return {
    latitude,
    longitude,
    formattedAddress: textOf(address.formattedAddress),
    addressLine: textOf(address.addressLine),
    streetNumber: textOf(address.streetNumber),
    streetName: textOf(address.streetName),
    locality: textOf(address.locality),
    postalCode: textOf(address.postalCode),
    adminDistrict: textOf(first?.name, code === null ? first?.shortName : null),
    adminDistrictCode: code,
    adminDistrict2: textOf(second?.name, second?.shortName),
    country: textOf(address.countryRegion?.name),
    countryCode: countryCodeOf(address.countryRegion?.ISO),
    type: lookUp(TYPES, properties.type),
    confidence: lookUp(CONFIDENCES, properties.confidence),
    matchCodes: matchCodes.map((match) => lookUp(MATCH_CODES, match)).filter((match) => match !== null),
  };
}

/** The short name is the code in some countries (`WA`), and a full or abbreviated name in others (`King Co.`). */
const codeOf = (shortName: string | null | undefined) =>
  shortName && /^[A-Z0-9]{1,3}$/.test(shortName) ? shortName : null;
