import { type Static, Type } from 'typebox';
import type { Address, AddressType, Confidence, MatchCode } from '../../../workers/geocoding/address/address.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';
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
  /** Of a subscription to Azure Maps. */
  readonly key: string;
}

/**
 * Azure Maps Search 2025-01-01: Get Geocoding, Get Reverse Geocoding. Type, confidence and match codes are its own;
 * values that its documentation does not name are taken as unknown.
 */
export function createAzureGeocoder({ baseUrl = BASE_URL, key, ...options }: AzureOptions): UpstreamGeocoder {
  // `Headers` would refuse it later, and tell it in the error.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigurationError('azure: the key is empty, or holds what no key holds');
  const upstream = createUpstream('azure', { ...options, baseUrl });
  // A header, and not a query parameter: URLs end up in the logs of proxies.
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
  const { address = {} } = properties;
  const [first, second] = address.adminDistricts ?? [];
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
    matchCodes: (properties.matchCodes ?? []).flatMap((code) => lookUp(MATCH_CODES, code) ?? []),
  };
}

/** A short name is the code in some countries (`WA`), and an abbreviated or the full name in others (`King Co.`). */
const codeOf = (shortName: string | null | undefined) =>
  shortName && /^[A-Z0-9]{1,3}$/.test(shortName) ? shortName : null;
