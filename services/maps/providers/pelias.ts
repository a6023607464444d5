import { type Static, Type } from 'typebox';
import type { Address, AddressType, Confidence, MatchCode } from '../../../workers/geocoding/address/address.ts';
import { createUpstream, type ProviderOptions } from '../../platform/upstream/upstream.ts';
import type { UpstreamGeocoder } from '../geocoder/geocoder.ts';
import {
  countryCodeOf,
  createReader,
  degrees,
  FeatureCollection,
  languageTag,
  lookUp,
  MAX_REVERSE_RESULTS,
  OptionalText,
  textOf,
  UNKNOWN_ADDRESS,
} from './answers.ts';
import { type Match, reverseMatch } from './match.ts';

const Properties = Type.Object({
  layer: OptionalText,
  name: OptionalText,
  label: OptionalText,
  confidence: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  match_type: OptionalText,
  housenumber: OptionalText,
  street: OptionalText,
  postalcode: OptionalText,
  locality: OptionalText,
  localadmin: OptionalText,
  county: OptionalText,
  region: OptionalText,
  region_a: OptionalText,
  dependency: OptionalText,
  country: OptionalText,
  country_a: OptionalText,
  country_code: OptionalText,
});
type Properties = Static<typeof Properties>;

const Answer = FeatureCollection(Properties);
const readAnswer = createReader(Answer);

const TYPES: Readonly<Record<string, AddressType>> = {
  address: 'Address',
  street: 'RoadBlock',
  intersection: 'RoadIntersection',
  neighbourhood: 'Neighborhood',
  borough: 'Neighborhood',
  macrohood: 'Neighborhood',
  locality: 'PopulatedPlace',
  localadmin: 'PopulatedPlace',
  postalcode: 'Postcode1',
  county: 'AdminDivision2',
  region: 'AdminDivision1',
  dependency: 'CountryRegion',
  country: 'CountryRegion',
};

/** An interpolated house is the requested one; only its position is estimated. */
const MATCH_CODES: Readonly<Record<string, MatchCode>> = {
  exact: 'Good',
  interpolated: 'Good',
  fallback: 'UpHierarchy',
};

/** Countries where the abbreviation of a region is its ISO 3166-2 code. */
const COUNTRIES_WITH_ISO_REGIONS = new Set(['US', 'USA', 'CA', 'CAN']);

export interface PeliasOptions extends ProviderOptions {
  /** Key of a hosted server. An own server needs none. */
  readonly key?: string | undefined;
}

/**
 * A Pelias server: `/v1/search` and `/v1/reverse`.
 *
 * - Type: by `layer`. A venue is an `Address` if it has a house number, else null: Azure Maps has no type for it.
 * - Confidence: High from 0.8, Medium from 0.5, else Low. In reverse geocoding these are distances of 100 m and about
 *   1 km.
 * - Match codes: by `match_type`, which only searches have. Reverse: {@link reverseMatch}.
 * - `formattedAddress` is `label` only if no other field has the name of the place.
 */
export function createPeliasGeocoder({ key, ...options }: PeliasOptions): UpstreamGeocoder {
  const upstream = createUpstream('pelias', options);
  return {
    geocode: ({ query, language, limit, bias }, caller) =>
      upstream.get(
        {
          path: '/v1/search',
          query: {
            text: query,
            size: limit,
            lang: languageTag(language),
            'focus.point.lat': bias && degrees(bias.latitude),
            'focus.point.lon': bias && degrees(bias.longitude),
            api_key: key,
          },
          read: (json) => {
            const features = readAnswer(json).features.slice(0, limit);
            return features.map((feature) => toAddress(feature, searchMatch(feature.properties)));
          },
        },
        caller,
      ),
    reverse: ({ point, language }, caller) =>
      upstream.get(
        {
          path: '/v1/reverse',
          query: {
            'point.lat': degrees(point.latitude),
            'point.lon': degrees(point.longitude),
            size: 1,
            lang: languageTag(language),
            api_key: key,
          },
          read: (json) => {
            const features = readAnswer(json).features.slice(0, MAX_REVERSE_RESULTS);
            return features.map((feature) => {
              const { matchCodes } = reverseMatch(typeOf(feature.properties));
              return toAddress(feature, { matchCodes, confidence: confidenceOf(feature.properties) });
            });
          },
        },
        caller,
      ),
  };
}

const typeOf = ({ layer, housenumber }: Properties): AddressType | null =>
  layer === 'venue' && textOf(housenumber) ? 'Address' : lookUp(TYPES, layer);

function searchMatch(properties: Properties): Match {
  const code = lookUp(MATCH_CODES, properties.match_type);
  return { confidence: confidenceOf(properties), matchCodes: code === null ? [] : [code] };
}

function confidenceOf({ confidence }: Properties): Confidence | null {
  if (confidence === undefined || confidence === null) return null;
  if (confidence >= 0.8) return 'High';
  return confidence >= 0.5 ? 'Medium' : 'Low';
}

function toAddress({ geometry, properties }: Static<typeof Answer>['features'][number], match: Match): Address {
  const [longitude, latitude] = geometry.coordinates;
  const type = typeOf(properties);
  const { name, country_a, country_code } = properties;
  const country = country_code ?? country_a;
  const hasIsoRegions = typeof country === 'string' && COUNTRIES_WITH_ISO_REGIONS.has(country);
  return {
    ...UNKNOWN_ADDRESS,
    ...match,
    latitude,
    longitude,
    formattedAddress: type === null || type === 'Neighborhood' ? textOf(properties.label) : null,
    streetNumber: textOf(properties.housenumber),
    streetName: textOf(properties.street, type === 'RoadBlock' ? name : null),
    locality: textOf(properties.locality, properties.localadmin),
    postalCode: textOf(properties.postalcode, type === 'Postcode1' ? name : null),
    adminDistrict: textOf(properties.region),
    adminDistrictCode: hasIsoRegions ? textOf(properties.region_a) : null,
    adminDistrict2: textOf(properties.county),
    country: textOf(properties.country, properties.dependency),
    countryCode: countryCodeOf(country_code) ?? countryCodeOf(country_a),
    type,
  };
}
