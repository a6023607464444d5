import type {
  GeocodeQuery,
  GeocoderOptions,
  ReverseQuery,
  UpstreamGeocoder,
} from '../../../../services/maps/geocoder/geocoder.ts';
import { createAzureGeocoder } from '../../../../services/maps/providers/azure.ts';
import { createNominatimGeocoder } from '../../../../services/maps/providers/nominatim.ts';
import { createPeliasGeocoder } from '../../../../services/maps/providers/pelias.ts';
import { createPhotonGeocoder } from '../../../../services/maps/providers/photon.ts';
import type { ProviderOptions } from '../../../../services/platform/upstream/upstream.ts';
import { keepLog } from '../../../kit/keep-log.ts';

export const KEY = 'k3y-that-nobody-may-see';

export interface Adapter {
  readonly name: string;
  readonly create: (options: ProviderOptions) => UpstreamGeocoder;
  /** An answer with `count` results. */
  readonly found: (count: number) => unknown;
  /** An answer without results to a query, and to a point. */
  readonly none: unknown;
  readonly noneReverse: unknown;
  /** Well-formed JSON with a required field missing or of the wrong type. */
  readonly misshapen: readonly unknown[];
}

const features = (
  count: number,
  properties: unknown,
  geometry: unknown = { type: 'Point', coordinates: [13.4, 52.5] },
) => ({
  type: 'FeatureCollection',
  features: Array.from({ length: count }, () => ({ type: 'Feature', properties, geometry })),
});
const feature = (properties: unknown, geometry?: unknown) => features(1, properties, geometry);
const NO_FEATURES = { type: 'FeatureCollection', features: [] };

const misshapenFeatures = [
  feature({}, null),
  feature({}, { type: 'Point', coordinates: [13.4] }),
  feature({}, { type: 'Point', coordinates: ['13.4', '52.5'] }),
  feature({}, { type: 'Point', coordinates: [13.4, 91] }),
  feature(undefined),
  { type: 'FeatureCollection' },
];
const place = (over: object = {}) => ({ lat: '52.5', lon: '13.4', display_name: 'Berlin', address: {}, ...over });

export const ADAPTERS: readonly Adapter[] = [
  {
    name: 'azure',
    create: (options) => createAzureGeocoder({ ...options, key: KEY }),
    found: (count) => features(count, { type: 'PopulatedPlace' }),
    none: NO_FEATURES,
    noneReverse: NO_FEATURES,
    misshapen: [
      ...misshapenFeatures,
      feature({ type: 7 }),
      feature({ matchCodes: 'Good' }),
      feature({ address: { adminDistricts: {} } }),
    ],
  },
  {
    name: 'nominatim',
    create: createNominatimGeocoder,
    found: (count) => Array.from({ length: count }, () => place()),
    none: [],
    noneReverse: { error: 'Unable to geocode' },
    misshapen: [
      {},
      [place({ lat: 52.5 })],
      [place({ lat: 'north' })],
      [place({ lat: '91.0' })],
      [place({ lon: undefined })],
      [place({ address: undefined })],
      [place({ address: { road: 7 } })],
      { error: { code: 500, message: 'no database' } },
    ],
  },
  {
    name: 'photon',
    create: createPhotonGeocoder,
    found: (count) => features(count, { type: 'city', name: 'Berlin' }),
    none: NO_FEATURES,
    noneReverse: NO_FEATURES,
    misshapen: [...misshapenFeatures, feature({ housenumber: 3 }), feature({ name: ['Berlin'] })],
  },
  {
    name: 'pelias',
    create: (options) => createPeliasGeocoder({ ...options, key: KEY }),
    found: (count) => features(count, { layer: 'locality', locality: 'Berlin' }),
    none: NO_FEATURES,
    noneReverse: NO_FEATURES,
    misshapen: [...misshapenFeatures, feature({ confidence: '1' }), feature({ layer: {} })],
  },
];

export const BERLIN: GeocodeQuery = { query: 'Berlin', language: 'de', limit: 5, bias: undefined };
export const HERE: ReverseQuery = { point: { latitude: 52.5, longitude: 13.4 }, language: 'de' };

/** The options of a caller that waits without limit. */
export const patiently = (over: Partial<GeocoderOptions> = {}): GeocoderOptions => ({
  signal: new AbortController().signal,
  deadlineMs: Number.POSITIVE_INFINITY,
  atMs: Date.now(),
  ...over,
});

/** Provider options for the tests of one adapter. */
export const optionsFor = (baseUrl: URL): ProviderOptions => ({
  baseUrl,
  timeoutMs: 5_000,
  logger: keepLog().logger,
});

/** An address without any known field. It is written out, so that the tests do not depend on the adapters' own constant. */
export const UNKNOWN = {
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
} as const;
