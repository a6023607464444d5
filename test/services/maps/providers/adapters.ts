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
import { keepLog } from '../../../helpers/keep-log.ts';

export const KEY = 'k3y-that-nobody-may-see';

export interface Adapter {
  readonly name: string;
  readonly create: (options: ProviderOptions) => UpstreamGeocoder;
  /** An answer with one result, and one with none. */
  readonly one: unknown;
  readonly none: unknown;
  readonly noneReverse: unknown;
  /** Well-formed JSON that lacks what an answer must have, or has it in another form. */
  readonly misshapen: readonly unknown[];
}

const feature = (properties: unknown, geometry: unknown = { type: 'Point', coordinates: [13.4, 52.5] }) => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties, geometry }],
});
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
    one: feature({ type: 'PopulatedPlace' }),
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
    one: [place()],
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
    one: feature({ type: 'city', name: 'Berlin' }),
    none: NO_FEATURES,
    noneReverse: NO_FEATURES,
    misshapen: [...misshapenFeatures, feature({ housenumber: 3 }), feature({ name: ['Berlin'] })],
  },
  {
    name: 'pelias',
    create: (options) => createPeliasGeocoder({ ...options, key: KEY }),
    one: feature({ layer: 'locality', locality: 'Berlin' }),
    none: NO_FEATURES,
    noneReverse: NO_FEATURES,
    misshapen: [...misshapenFeatures, feature({ confidence: '1' }), feature({ layer: {} })],
  },
];

export const BERLIN: GeocodeQuery = { query: 'Berlin', language: 'de', limit: 5, bias: undefined };
export const HERE: ReverseQuery = { point: { latitude: 52.5, longitude: 13.4 }, language: 'de' };

export const patiently = (over: Partial<GeocoderOptions> = {}): GeocoderOptions => ({
  signal: new AbortController().signal,
  deadlineMs: Number.POSITIVE_INFINITY,
  atMs: Date.now(),
  ...over,
});

/** For the tests of one adapter. */
export const optionsFor = (baseUrl: URL): ProviderOptions => ({
  baseUrl,
  timeoutMs: 5_000,
  logger: keepLog().logger,
});

/** Written out here: what an adapter calls unknown is to be compared with what the tests do. */
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
