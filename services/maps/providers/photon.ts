import { type Static, Type } from 'typebox';
import type { Address, AddressType } from '../../../workers/geocoding/address/address.ts';
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
import { lacksNumber, type Match, reverseMatch, UNKNOWN_MATCH } from './match.ts';

const Properties = Type.Object({
  type: OptionalText,
  osm_key: OptionalText,
  osm_value: OptionalText,
  name: OptionalText,
  housenumber: OptionalText,
  street: OptionalText,
  city: OptionalText,
  county: OptionalText,
  state: OptionalText,
  postcode: OptionalText,
  country: OptionalText,
  countrycode: OptionalText,
});
type Properties = Static<typeof Properties>;

const Answer = FeatureCollection(Properties);
const readAnswer = createReader(Answer);

/** Languages that an installation imports by default, besides the local names. */
const LANGUAGES = new Set(['de', 'en', 'fr']);

const TYPES: Readonly<Record<string, AddressType>> = {
  street: 'RoadBlock',
  locality: 'Neighborhood',
  district: 'Neighborhood',
  city: 'PopulatedPlace',
  county: 'AdminDivision2',
  state: 'AdminDivision1',
  country: 'CountryRegion',
};
/** Types by `osm_value` of `osm_key=place`. Photon's own types count hamlets as districts. */
const PLACES: Readonly<Record<string, AddressType>> = {
  house: 'Address',
  isolated_dwelling: 'PopulatedPlace',
  hamlet: 'PopulatedPlace',
  village: 'PopulatedPlace',
  town: 'PopulatedPlace',
  city: 'PopulatedPlace',
  postcode: 'Postcode1',
  county: 'AdminDivision2',
  state: 'AdminDivision1',
  country: 'CountryRegion',
};

/**
 * A Photon server: `/api` and `/reverse`.
 *
 * - Type: `Address` if there is a house number, else by the value of `osm_key=place`, else by `type`. Null for places
 *   without a type in Azure Maps.
 * - Match: unknown, because Photon tolerates errors and does not report the fit. If the result lacks a number of the
 *   query, it is `UpHierarchy`. Reverse: {@link reverseMatch}.
 * - `formattedAddress` is set only if no other field has the name of the place.
 */
export function createPhotonGeocoder(options: ProviderOptions): UpstreamGeocoder {
  const upstream = createUpstream('photon', options);
  return {
    geocode: ({ query, language, limit, bias }, caller) =>
      upstream.get(
        {
          path: '/api',
          query: {
            q: query,
            limit,
            lang: langOf(language),
            lat: bias && degrees(bias.latitude),
            lon: bias && degrees(bias.longitude),
          },
          read: (json) => {
            const features = readAnswer(json).features.slice(0, limit);
            return features.map((feature) => toAddress(feature, searchMatch(query, feature.properties)));
          },
        },
        caller,
      ),
    reverse: ({ point, language }, caller) =>
      upstream.get(
        {
          path: '/reverse',
          query: { lat: degrees(point.latitude), lon: degrees(point.longitude), lang: langOf(language) },
          read: (json) => {
            const features = readAnswer(json).features.slice(0, MAX_REVERSE_RESULTS);
            return features.map((feature) => toAddress(feature, reverseMatch(typeOf(feature.properties))));
          },
        },
        caller,
      ),
  };
}

/** The server answers 400 for a language that it did not import. Without a language it answers local names. */
function langOf(language: string | undefined): string | undefined {
  const primary = languageTag(language)?.split('-', 1)[0]?.toLowerCase();
  return primary !== undefined && LANGUAGES.has(primary) ? primary : undefined;
}

function typeOf({ housenumber, osm_key, osm_value, type }: Properties): AddressType | null {
  if (textOf(housenumber)) return 'Address';
  return (osm_key === 'place' ? lookUp(PLACES, osm_value) : null) ?? lookUp(TYPES, type);
}

function searchMatch(query: string, { name, housenumber, street, postcode }: Properties): Match {
  const lacks = lacksNumber(query, [name, housenumber, street, postcode]);
  return lacks ? { confidence: null, matchCodes: ['UpHierarchy'] } : UNKNOWN_MATCH;
}

/** Only `name` has the name of the place itself, and not the field of its kind. */
function toAddress({ geometry, properties }: Static<typeof Answer>['features'][number], match: Match): Address {
  const [longitude, latitude] = geometry.coordinates;
  const type = typeOf(properties);
  const { name, street, city, county, state, postcode, country } = properties;
  const named = (kind: AddressType) => (type === kind ? name : null);
  return {
    ...UNKNOWN_ADDRESS,
    ...match,
    latitude,
    longitude,
    formattedAddress: type === null || type === 'Neighborhood' ? joined([name, street, city, state, country]) : null,
    streetNumber: textOf(properties.housenumber),
    streetName: textOf(street, named('RoadBlock')),
    locality: textOf(named('PopulatedPlace'), city),
    postalCode: textOf(postcode, named('Postcode1')),
    adminDistrict: textOf(named('AdminDivision1'), state),
    adminDistrict2: textOf(named('AdminDivision2'), county),
    country: textOf(country, named('CountryRegion')),
    countryCode: countryCodeOf(properties.countrycode),
    type,
  };
}

/** Joins parts and removes repetitions: a city that is a state is named once ("Berlin", not "Berlin, Berlin"). */
const joined = (parts: readonly (string | null | undefined)[]) =>
  textOf([...new Set(parts.map((part) => textOf(part)).filter((part) => part !== null))].join(', '));
