import { type Static, Type } from 'typebox';
import { readOperatorKeys } from '../../services/backoffice/contract/operator-keys.ts';
import { RetentionDays } from '../../services/backoffice/contract/retention-setting.ts';
import { LedgerConfig } from '../../services/ledger/contract/config.ts';
import { DAILY_BUDGET_MICRO_USD } from '../../services/ledger/contract/trial-terms.ts';
import { decodeBase64 } from '../../services/platform/base64.ts';
import { readIdentity, TlsConfig } from '../../services/platform/grpc/identity.ts';
import { ConfigurationError, readConfiguration, readParts } from '../../services/platform/process/environment.ts';
import { type KeptKey, readKeptKey } from '../../services/platform/process/secret-file.ts';
import { DataFolder, grpcTarget, LogLevel, listenAddress } from '../../services/platform/process/settings.ts';
import { affordableConnections } from '../http/descriptors.ts';
import { trustProxies } from '../http/trusted-proxies.ts';
import { OperatorConfig, readOperatorPage } from '../operator/operator-config.ts';

/** Environment of the gateway. */
export const GatewayConfig = Type.Object({
  ...LedgerConfig.properties,
  PORT: Type.Integer({ default: 8402, minimum: 1, maximum: 65_535, description: 'port of the HTTP server' }),
  HOST: Type.String({ default: '127.0.0.1', description: 'address of the HTTP server' }),
  GATEWAY_PROCESSES: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 99,
    description: 'processes that share the port; 0: one for every two cores',
  }),
  ...TlsConfig,
  LOG_LEVEL: LogLevel,
  TOLLHOUSE_DATA: DataFolder,
  PUBLIC_URLS: Type.Optional(
    Type.String({ description: 'origins that clients use, comma-separated, such as https://api.example.com' }),
  ),
  CONTACT: Type.Optional(
    Type.String({
      description:
        'contact for users of the API, which is published: an https URL, or mailto: and an address. Required outside the sandbox',
    }),
  ),
  TRUST_PROXY: Type.String({
    default: '',
    description: 'CIDRs of proxies whose X-Forwarded-For is trusted, comma-separated',
  }),
  TOLLHOUSE_SANDBOX: Type.Optional(
    Type.Literal('public', { description: 'public: allows a sandbox on other addresses than loopback' }),
  ),
  ADMIN_LISTEN: listenAddress(
    Type.Optional(
      Type.String({
        description:
          'where /live, /ready and /metrics (Prometheus) are, for programs of the operator: host:port or unix:path. `npm start` sets a socket',
      }),
    ),
  ),
  ...OperatorConfig,
  CONTENT_URL: grpcTarget(Type.String({ default: '127.0.0.1:8411', description: 'gRPC target of services/content' })),
  PAYMENTS_URL: grpcTarget(Type.String({ default: '127.0.0.1:8412', description: 'gRPC target of services/payments' })),
  BACKOFFICE_URL: grpcTarget(
    Type.String({ default: '127.0.0.1:8413', description: 'gRPC target of services/backoffice' }),
  ),
  VERIFICATION_URL: grpcTarget(
    Type.String({ default: '127.0.0.1:8415', description: 'gRPC target of services/verification' }),
  ),
  MAPS_URL: grpcTarget(Type.String({ default: '127.0.0.1:8414', description: 'gRPC target of services/maps' })),
  CHALLENGE_KEYS: Type.Optional(
    Type.String({
      description:
        'signs challenges and offers: base64 of 32 bytes or more, comma-separated; the first signs, all are accepted. Required outside the sandbox, or the file keys/challenge of the data folder',
    }),
  ),
  FINGERPRINT_KEY: Type.Optional(
    Type.String({
      description:
        'hides requests in the records of payments: base64 of 32 bytes or more, the same in every gateway. Required outside the sandbox, or the file keys/fingerprint of the data folder',
    }),
  ),
  TRIAL_DAILY_BUDGET_MICRO_USD: Type.Integer({
    default: Number(DAILY_BUDGET_MICRO_USD),
    minimum: 0,
    description: 'the daily budget of trials that pages show; services/backoffice keeps it',
  }),
  RETENTION_DAYS: RetentionDays,
  RATE_LIMIT_PER_MINUTE: Type.Integer({
    default: 600,
    minimum: 0,
    description:
      'unsigned and failed requests of one address, and failed requests of one API key, in a minute; 0: unlimited',
  }),
  STOP_GRACE_MS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 15_000,
    description:
      'milliseconds after SIGTERM in which the gateway serves on while /health/ready answers 503, and then at most for which it keeps idle connections',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: 'open connections in total; fewer if the limit of open files (ulimit -n) is lower',
  }),
  MAX_CONNECTIONS_PER_CLIENT: Type.Integer({
    default: 1000,
    minimum: 0,
    description: 'open connections of one address, except a trusted proxy; 0: unlimited',
  }),
  MAX_BODY_MB_IN_FLIGHT: Type.Integer({
    default: 128,
    minimum: 16,
    description: 'MiB of request bodies in memory at a time; one client may use half of it',
  }),
  TARGET_LATENCY_MS: Type.Integer({
    default: 400,
    minimum: 10,
    maximum: 60_000,
    description: 'median milliseconds of a call, without settlement, above which fewer calls are executed at a time',
  }),
  MAX_EVENT_LOOP_DELAY_MS: Type.Integer({
    default: 1000,
    minimum: 10,
    description: 'mean delay of the event loop over two seconds, in milliseconds, above which requests are refused',
  }),
});

export type GatewayConfig = Static<typeof GatewayConfig>;

/** Reads a key that is not given. */
type KeySource = (kept: KeptKey) => Buffer;

const NO_KEY: KeySource = () => Buffer.alloc(0);

const readersOf = (config: GatewayConfig) => ({
  keys: () => readKeys(config, NO_KEY),
  identity: () => readIdentity('gateway', config, targetsOf(config)),
  isTrustedProxy: () => trustProxies(listOf(config.TRUST_PROXY)),
  givenOperatorKeys: () => readOperatorKeys(config.OPERATOR_KEY_HASHES),
});

const modeReadersOf = (config: GatewayConfig, isSandbox: boolean, keyIn: KeySource) => ({
  publicUrls: () => readPublicUrls(config, isSandbox),
  contact: () => readContact(config, isSandbox),
  operatorKeys: () => readOperatorPage(config, isLoopbackOnly(config, readPublicUrls(config, isSandbox))),
  keys: () => readKeys(config, (kept) => keyIn({ ...kept, mayCreate: isSandbox })),
});

const targetsOf = ({ CONTENT_URL, PAYMENTS_URL, BACKOFFICE_URL, VERIFICATION_URL, MAPS_URL }: GatewayConfig) => ({
  CONTENT_URL,
  PAYMENTS_URL,
  BACKOFFICE_URL,
  VERIFICATION_URL,
  MAPS_URL,
});

/** Reads what is the same with play money. @throws {ConfigurationError} */
export const readConfig = (environment: NodeJS.ProcessEnv) => readConfiguration(GatewayConfig, environment, readersOf);

/**
 * Reads the settings whose rules differ for play money. A sandbox creates missing keys in its data folder. Elsewhere they are
 * required: a second gateway would have others.
 * @throws {ConfigurationError}
 */
export const readMode = (config: GatewayConfig, isSandbox: boolean) =>
  readParts(modeReadersOf(config, isSandbox, readKeptKey));

/** Reads all settings, and creates no key. @throws {ConfigurationError} */
export const checkConfig = (environment: NodeJS.ProcessEnv, isSandbox: boolean) =>
  readConfiguration(GatewayConfig, environment, (config) => ({
    ...readersOf(config),
    ...modeReadersOf(config, isSandbox, isSandbox ? NO_KEY : readKeptKey),
    connections: () => affordableConnections(config.MAX_CONNECTIONS),
  }));

const MIN_KEY_BYTES = 32;

function listOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

export interface GatewayKeys {
  /** Sign challenges and offers. */
  readonly challenge: readonly Buffer[];
  /** Of the fingerprints of requests. */
  readonly fingerprint: Buffer;
}

/** Reads the keys that are given, and the others from `keyIn`. @throws {ConfigurationError} */
function readKeys(config: GatewayConfig, keyIn: KeySource): GatewayKeys {
  const keptKey = (file: string, name: string): KeptKey => ({
    name,
    path: `${config.TOLLHOUSE_DATA}/keys/${file}`,
    mayCreate: false,
  });
  return readParts({
    challenge: () => {
      const keys = listOf(config.CHALLENGE_KEYS).map((text) => readKey('CHALLENGE_KEYS', text));
      return keys.length > 0 ? keys : [keyIn(keptKey('challenge', 'CHALLENGE_KEYS'))];
    },
    fingerprint: () => {
      const [key, other] = listOf(config.FINGERPRINT_KEY).map((text) => readKey('FINGERPRINT_KEY', text));
      if (other !== undefined) throw new ConfigurationError('FINGERPRINT_KEY: give one key, without a comma');
      return key ?? keyIn(keptKey('fingerprint', 'FINGERPRINT_KEY'));
    },
  });
}

function readKey(name: string, text: string): Buffer {
  const key = decodeBase64(text);
  if (key !== undefined && key.length >= MIN_KEY_BYTES) return key;
  throw new ConfigurationError(`${name}: every key must have at least ${MIN_KEY_BYTES} bytes, in base64 with padding`);
}

const OTHER_NAMES = ['localhost', '[::1]'];
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', ...OTHER_NAMES];

/**
 * Public origins of the API. The first one answers an unknown Host.
 * @throws {ConfigurationError} if a text is not an origin, or if a sandbox is public without TOLLHOUSE_SANDBOX=public
 */
export function readPublicUrls(config: GatewayConfig, sandbox: boolean): readonly [URL, ...URL[]] {
  const given = listOf(config.PUBLIC_URLS).map((text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
      throw new ConfigurationError(
        `PUBLIC_URLS: found ${JSON.stringify(text)}; each must be an origin such as https://api.example.com`,
      );
    }
    return url;
  });
  if (!sandbox && given.length === 0) {
    throw new ConfigurationError(
      'PUBLIC_URLS: found nothing; outside the sandbox, it must name the origins that clients use',
    );
  }
  const ownUrl = (host: string) => new URL(`http://${host}:${config.PORT}`);
  const [first, ...others] = given;
  const urls =
    first === undefined ? ([ownUrl('127.0.0.1'), ...OTHER_NAMES.map(ownUrl)] as const) : ([first, ...others] as const);
  if (sandbox && !isLoopbackOnly(config, urls) && config.TOLLHOUSE_SANDBOX !== 'public') {
    throw new ConfigurationError(
      'HOST, PUBLIC_URLS: the sandbox uses play money and is only served on loopback, unless TOLLHOUSE_SANDBOX=public',
    );
  }
  return urls;
}

/** Whether only programs of this machine can reach the gateway, and only by addresses of this machine. */
export const isLoopbackOnly = ({ HOST }: Pick<GatewayConfig, 'HOST'>, urls: readonly URL[]): boolean =>
  LOOPBACK_HOSTS.includes(bracketed(HOST)) && urls.every(({ hostname }) => LOOPBACK_HOSTS.includes(hostname));

/** The public origins, and those by which programs of this machine reach the gateway. */
export const ownOrigins = ({ PORT }: Pick<GatewayConfig, 'PORT'>, publicUrls: readonly URL[]): readonly URL[] => [
  ...publicUrls,
  ...LOOPBACK_HOSTS.map((host) => new URL(`http://${host}:${PORT}`)),
];

/** How users of the API reach the operator; nothing in a sandbox that does not say. */
export interface Reach {
  readonly url?: string;
  readonly email?: string;
}

/** The contact for users of the API: the Contact Object of OpenAPI. */
export interface Contact extends Reach {
  readonly name: string;
}

/** @throws {ConfigurationError} */
export function readContact({ CONTACT }: Pick<GatewayConfig, 'CONTACT'>, sandbox: boolean): Reach {
  if (CONTACT === undefined && sandbox) return {};
  if (CONTACT === undefined) {
    throw new ConfigurationError(
      'CONTACT: found nothing; outside the sandbox, it must say how users of the API reach you, such as mailto:support@example.com',
    );
  }
  const url = URL.parse(CONTACT);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return { url: url.href };
  const email = /^mailto:([^\s@?]+@[^\s@?]+)$/.exec(CONTACT)?.[1];
  if (email !== undefined) return { email };
  throw new ConfigurationError(
    `CONTACT: found ${JSON.stringify(CONTACT)}; it must be a URL such as https://example.com/support, or mailto:support@example.com`,
  );
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
