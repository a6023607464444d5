import { type Static, Type } from 'typebox';
import { type Identity, readIdentity, TlsConfig } from '../platform/grpc/identity.ts';
import { ConfigurationError, readConfiguration, readParts } from '../platform/process/environment.ts';
import { httpUrl, Listen, LogLevel, maySendSecrets } from '../platform/process/settings.ts';

const PROVIDERS = ['gazetteer', 'azure', 'nominatim', 'photon', 'pelias'] as const;

export const MapsEnvironment = Type.Object({
  LISTEN: Listen('127.0.0.1:8414'),
  ...TlsConfig,
  LOG_LEVEL: LogLevel,
  MAPS_PROVIDER: Type.Enum([...PROVIDERS], { default: 'gazetteer', description: PROVIDERS.join(', ') }),
  MAPS_PROVIDER_URL: httpUrl(
    Type.Optional(Type.String({ description: 'base URL of the provider; azure has a default' })),
  ),
  MAPS_PROVIDER_KEY: Type.Optional(Type.String({ description: 'subscription key for azure, or API key for pelias' })),
  MAPS_PLACES: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'folder with your own addresses (`npm run tollhouse -- places import`), which are asked first',
    }),
  ),
  MAPS_THREADS: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: 'geocoding threads; one for each core by default' }),
  ),
});

/** The source of results: the embedded data, or a remote provider. */
export type ProviderConfig =
  | { readonly kind: 'gazetteer' }
  | { readonly kind: 'azure'; readonly baseUrl: URL | undefined; readonly key: string }
  | { readonly kind: 'nominatim' | 'photon'; readonly baseUrl: URL }
  | { readonly kind: 'pelias'; readonly baseUrl: URL; readonly key: string | undefined };

export interface MapsConfig {
  readonly listen: string;
  readonly identity: Identity | undefined;
  readonly logLevel: string;
  readonly provider: ProviderConfig;
  /** Undefined if there are no own addresses. */
  readonly places: string | undefined;
  readonly threads: number | undefined;
}

/** @throws {ConfigurationError} */
export function readConfig(environment: NodeJS.ProcessEnv): MapsConfig {
  const values = readConfiguration(MapsEnvironment, environment, (found) => ({
    provider: () => readProvider(found),
    identity: () => readIdentity('maps', found, { LISTEN: found.LISTEN }),
  }));
  return {
    listen: values.LISTEN,
    identity: values.identity,
    logLevel: values.LOG_LEVEL,
    provider: values.provider,
    places: values.MAPS_PLACES,
    threads: values.MAPS_THREADS,
  };
}

function readProvider(values: Static<typeof MapsEnvironment>): ProviderConfig {
  const { MAPS_PROVIDER: kind, MAPS_PROVIDER_KEY: key } = values;
  const sendsKey = kind === 'azure' || (kind === 'pelias' && key !== undefined);
  const readUrl = () => readBaseUrl(values.MAPS_PROVIDER_URL, sendsKey);
  if (kind === 'gazetteer') return { kind };
  if (kind === 'azure') return { kind, ...readParts({ baseUrl: readUrl, key: () => readAzureKey(key) }) };
  const baseUrl = readUrl();
  // There is no default: the policies of the public servers forbid to sell their results.
  if (baseUrl === undefined) throw new ConfigurationError(`MAPS_PROVIDER_URL: found nothing; ${kind} needs a server`);
  return kind === 'pelias' ? { kind, baseUrl, key } : { kind, baseUrl };
}

function readAzureKey(key: string | undefined): string {
  if (key === undefined) throw new ConfigurationError('MAPS_PROVIDER_KEY: found nothing; azure needs a key');
  // `Headers` would refuse the key later, with an error that contains it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigurationError('MAPS_PROVIDER_KEY: found a value that is not valid; it has characters of no key');
}

function readBaseUrl(text: string | undefined, sendsKey: boolean): URL | undefined {
  if (text === undefined) return undefined;
  const wrong = (what: string) => new ConfigurationError(`MAPS_PROVIDER_URL: found ${what}`);
  const url = new URL(text);
  // `fetch` refuses such a URL, and its error contains the whole URL.
  if (url.username !== '' || url.password !== '') throw wrong('a user or a password; it must have neither');
  if (sendsKey && !maySendSecrets(url)) throw wrong('http; it must be https, because MAPS_PROVIDER_KEY is sent');
  return url;
}
