import { type Static, Type } from 'typebox';
import type { Address, AddressType } from '../../../workers/geocoding/address/address.ts';
import { MalformedAnswer } from '../../platform/upstream/bounded-fetch.ts';
import { createUpstream, type ProviderOptions } from '../../platform/upstream/upstream.ts';
import type { Point, UpstreamGeocoder } from '../geocoder/geocoder.ts';
import {
  countryCodeOf,
  createReader,
  degrees,
  languageTag,
  lookUp,
  OptionalText,
  textOf,
  UNKNOWN_ADDRESS,
} from './answers.ts';
import { lacksNumber, type Match, reverseMatch, UP_HIERARCHY } from './match.ts';

const Degrees = Type.String({ pattern: '^-?[0-9]{1,3}(\\.[0-9]{1,20})?$' });

const Place = Type.Object({
  lat: Degrees,
  lon: Degrees,
  display_name: Type.String(),
  type: OptionalText,
  addresstype: OptionalText,
  importance: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  address: Type.Object({
    house_number: OptionalText,
    road: OptionalText,
    isolated_dwelling: OptionalText,
    hamlet: OptionalText,
    village: OptionalText,
    town: OptionalText,
    city: OptionalText,
    municipality: OptionalText,
    county: OptionalText,
    state_district: OptionalText,
    province: OptionalText,
    state: OptionalText,
    'ISO3166-2-lvl4': OptionalText,
    postcode: OptionalText,
    country: OptionalText,
    country_code: OptionalText,
  }),
});
type Place = Static<typeof Place>;

const readSearch = createReader(Type.Array(Place));
/** Without a result, the answer is a 200 with an error. */
const readReverse = createReader(Type.Union([Place, Type.Object({ error: Type.Literal('Unable to geocode') })]));

const TYPES: Readonly<Record<string, AddressType>> = {
  house: 'Address',
  road: 'RoadBlock',
  borough: 'Neighborhood',
  city_district: 'Neighborhood',
  district: 'Neighborhood',
  suburb: 'Neighborhood',
  subdivision: 'Neighborhood',
  quarter: 'Neighborhood',
  neighbourhood: 'Neighborhood',
  city_block: 'Neighborhood',
  isolated_dwelling: 'PopulatedPlace',
  hamlet: 'PopulatedPlace',
  village: 'PopulatedPlace',
  town: 'PopulatedPlace',
  city: 'PopulatedPlace',
  municipality: 'PopulatedPlace',
  postcode: 'Postcode1',
  county: 'AdminDivision2',
  state_district: 'AdminDivision2',
  province: 'AdminDivision1',
  state: 'AdminDivision1',
  country: 'CountryRegion',
};

/** Half the side of the preferred box, in degrees: about 50 km to the north and to the south. */
const BIAS_DEGREES = 0.5;
/** Importance is 0 to 1 on a logarithmic scale. A smaller difference does not tell which place is meant. */
const CLEARLY_MORE_IMPORTANT = 0.05;

/**
 * A Nominatim server: `/search` and `/reverse` in the format jsonv2.
 *
 * - Type: `Address` if there is a house number, else by `addresstype` (`type` of older servers). Null for places without
 *   a type in Azure Maps, such as sights and lakes.
 * - Match: a result of Nominatim has every word of the query, except for unknown numbers. If it lacks a number, the match
 *   is `UpHierarchy`. If another result of the same type is as important, `Ambiguous` and Medium. Else `Good` and High.
 *   Reverse: {@link reverseMatch}.
 * - `formattedAddress` is `display_name` only if no other field has the name of the place.
 */
export function createNominatimGeocoder(options: ProviderOptions): UpstreamGeocoder {
  const upstream = createUpstream('nominatim', options);
  const common = (language: string | undefined) => ({
    format: 'jsonv2',
    addressdetails: 1,
    'accept-language': languageTag(language),
  });
  return {
    geocode: ({ query, language, limit, bias }, caller) =>
      upstream.get(
        {
          path: '/search',
          query: { q: query, ...common(language), limit, viewbox: bias && boxAround(bias) },
          read: (json) => {
            const places = readSearch(json).slice(0, limit);
            return places.map((place) => toAddress(place, searchMatch(query, place, places)));
          },
        },
        caller,
      ),
    reverse: ({ point, language }, caller) =>
      upstream.get(
        {
          path: '/reverse',
          query: { lat: degrees(point.latitude), lon: degrees(point.longitude), ...common(language) },
          read: (json) => {
            const answer = readReverse(json);
            return 'error' in answer ? [] : [toAddress(answer, reverseMatch(typeOf(answer)))];
          },
        },
        caller,
      ),
  };
}

/** The box ends at the poles and the antimeridian, which it must not cross. */
function boxAround({ latitude, longitude }: Point): string {
  const west = Math.max(-180, longitude - BIAS_DEGREES);
  const east = Math.min(180, longitude + BIAS_DEGREES);
  const south = Math.max(-90, latitude - BIAS_DEGREES);
  const north = Math.min(90, latitude + BIAS_DEGREES);
  return [west, south, east, north].map(degrees).join(',');
}

const typeOf = ({ address, addresstype, type }: Place): AddressType | null =>
  textOf(address.house_number) ? 'Address' : lookUp(TYPES, addresstype ?? type);

/** A place without an importance counts as unimportant. */
const importanceOf = ({ importance }: Place): number => importance ?? 0;

function searchMatch(query: string, place: Place, places: readonly Place[]): Match {
  const lacks = ({ display_name, address }: Place) =>
    lacksNumber(query, [display_name, address.house_number, address.postcode]);
  if (lacks(place)) return UP_HIERARCHY;
  const isRival = (other: Place) =>
    other !== place &&
    typeOf(other) === typeOf(place) &&
    !lacks(other) &&
    importanceOf(other) > importanceOf(place) - CLEARLY_MORE_IMPORTANT;
  return places.some(isRival)
    ? { confidence: 'Medium', matchCodes: ['Ambiguous'] }
    : { confidence: 'High', matchCodes: ['Good'] };
}

function toAddress(place: Place, match: Match): Address {
  const { address } = place;
  const type = typeOf(place);
  return {
    ...UNKNOWN_ADDRESS,
    ...match,
    ...pointOf(place),
    formattedAddress: type === null || type === 'Neighborhood' ? textOf(place.display_name) : null,
    streetNumber: textOf(address.house_number),
    streetName: textOf(address.road),
    locality: localityOf(place),
    postalCode: textOf(address.postcode),
    adminDistrict: textOf(address.state, address.province),
    adminDistrictCode: divisionCodeOf(address['ISO3166-2-lvl4']),
    adminDistrict2: textOf(address.county, address.state_district),
    country: textOf(address.country),
    countryCode: countryCodeOf(address.country_code),
    type,
  };
}

function pointOf({ lat, lon }: Place) {
  const latitude = Number(lat);
  const longitude = Number(lon);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw new MalformedAnswer('coordinates out of range');
  return { latitude, longitude };
}

/** The name of the place itself if it is one: the requested village, and not the town that it belongs to. */
function localityOf({ address, addresstype, type }: Place): string | null {
  const { city, town, village, municipality, hamlet, isolated_dwelling } = address;
  const own = lookUp({ city, town, village, municipality, hamlet, isolated_dwelling }, addresstype ?? type);
  return textOf(own, city, town, village, municipality, hamlet, isolated_dwelling);
}

/** The part of an ISO 3166-2 code after the country; null for any other text. */
function divisionCodeOf(code: string | null | undefined): string | null {
  if (code === null || code === undefined) return null;
  const [, division] = /^[A-Z]{2}-([A-Z0-9]{1,3})$/.exec(code) ?? [];
  return division === undefined ? null : division;
}
