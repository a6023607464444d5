import { type Static, Type } from 'typebox';
import { getAddress, type Hex } from 'viem';
import { readIdentity, TlsConfig } from '../platform/grpc/identity.ts';
import { ConfigurationError, readConfiguration, readParts } from '../platform/process/environment.ts';
import { checkNamedKeys, type NamedKeysOptions } from '../platform/process/named-keys.ts';
import {
  CreateKeys,
  databaseUrl,
  httpUrl,
  httpUrls,
  isLoopback,
  Listen,
  LogLevel,
  maySendSecrets,
} from '../platform/process/settings.ts';
import { ChannelEnvironment, readChannelSettings } from './channels/settings.ts';
import { type CredentialSettings, readCredentialSettings } from './facilitator/credentials.ts';
import { confirmationsOf, FinalityEnvironment } from './finality/settings.ts';
import { Bytes32 } from './payment/hex.ts';
import { type KnownNetwork, SANDBOX_NETWORK } from './payment/terms.ts';

const WEI_PER_GWEI = 1e9;

const Url = (description: string) => httpUrl(Type.Optional(Type.String({ description })));

export const PaymentsEnvironment = Type.Object({
  LISTEN: Listen('127.0.0.1:8412'),
  ...TlsConfig,
  LOG_LEVEL: LogLevel,
  CLOCK_TOLERANCE_MS: Type.Integer({
    default: 300_000,
    minimum: 1000,
    maximum: 86_400_000,
    description:
      'largest difference between the clocks of this machine and of the database; beyond it trials and new payments are refused',
  }),
  DATABASE_URL: databaseUrl(Type.String({ description: 'PostgreSQL 15 or later' })),
  DATABASE_CONNECTIONS: Type.Integer({
    default: 8,
    minimum: 2,
    maximum: 200,
    description: 'database connections of this process',
  }),
  LEDGER_CONNECTIONS: Type.Integer({
    default: 8,
    minimum: 2,
    maximum: 200,
    description: 'database connections of the claims in this process, besides DATABASE_CONNECTIONS',
  }),
  X402_FACILITATOR_URL: Url('an x402 facilitator'),
  X402_FACILITATOR_KEY_ID: Type.Optional(
    Type.String({ minLength: 1, description: 'id of an API key of the Coinbase Developer Platform' }),
  ),
  X402_FACILITATOR_KEY_SECRET: Type.Optional(
    Type.String({ minLength: 1, description: 'its secret, which signs a token for each request to the facilitator' }),
  ),
  X402_FACILITATOR_HEADERS_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'file of headers for each request to another facilitator, such as a line X-Api-Key: value',
    }),
  ),
  X402_SIGNER_KEY: Type.Optional(
    Type.Unsafe<Hex>({ ...Bytes32, description: 'private key that pays for settlements' }),
  ),
  X402_RPC_URL: httpUrls(
    Type.Optional(
      Type.String({
        description:
          'a node of the network: needed with X402_SIGNER_KEY, and the proof of what a facilitator says. Of several, separated by commas, the next one is asked when the one before does not answer',
      }),
    ),
  ),
  X402_MAX_FEE_GWEI: Type.Number({
    default: 10,
    minimum: 0.001,
    maximum: 10_000,
    description: 'highest price of a unit of gas that a settlement with X402_SIGNER_KEY offers',
  }),
  X402_REPLACE_AFTER_MS: Type.Integer({
    default: 10_000,
    minimum: 1000,
    maximum: 600_000,
    description: 'milliseconds after which a transaction of X402_SIGNER_KEY that is not mined is sent with higher fees',
  }),
  X402_GAS_RESERVE: Type.Integer({
    default: 20,
    minimum: 0,
    maximum: 100_000,
    description:
      'settlements that the balance of X402_SIGNER_KEY must pay for at the current fees, besides the claims of channels; with less, no payment is executed',
  }),
  X402_PAY_TO: Type.Optional(
    Type.String({ pattern: '^0x(?!0{40}$)[0-9a-fA-F]{40}$', description: 'address that receives payments' }),
  ),
  X402_NETWORK: Type.Union([Type.Literal('eip155:8453'), Type.Literal('eip155:84532'), Type.Literal(SANDBOX_NETWORK)], {
    default: 'eip155:8453',
    description: 'eip155:8453 (Base), eip155:84532 (Base Sepolia) or eip155:31337 (a local test chain)',
  }),
  SANDBOX_RPC_URL: Url('an anvil on this machine'),
  SANDBOX_STATE_FILE: Type.Optional(
    Type.String({ minLength: 1, description: 'file for the state of the sandbox chain' }),
  ),
  SETTLE_TIMEOUT_MS: Type.Integer({
    default: 20_000,
    minimum: 100,
    maximum: 120_000,
    description: 'longest wait for a settlement, in milliseconds',
  }),
  CREATE_KEYS: CreateKeys,
  ...FinalityEnvironment,
  ...ChannelEnvironment,
  CLAIM_LEASE_MARGIN_MS: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 600_000,
    description: 'milliseconds that a claim lasts beyond the longest time of its operation',
  }),
});

export type Backend =
  | {
      readonly kind: 'facilitator';
      readonly url: string;
      readonly credentials: CredentialSettings | undefined;
      readonly rpcUrl: string | undefined;
      readonly payTo: Hex;
      readonly network: KnownNetwork;
    }
  | {
      readonly kind: 'signer';
      readonly privateKey: Hex;
      readonly rpcUrl: string;
      readonly payTo: Hex;
      readonly network: KnownNetwork;
    }
  | { readonly kind: 'sandbox'; readonly rpcUrl: string; readonly stateFile: string };

export type Config = ReturnType<typeof readConfig>;

/** @throws {ConfigurationError} */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const values = readConfiguration(PaymentsEnvironment, environment, (found) => ({
    backend: () => readBackend(found),
    identity: () => readIdentity('payments', found, { LISTEN: found.LISTEN }),
    checkedKeys: () => checkNamedKeys(authorizationKeysOf(found)),
  }));
  const { backend } = values;
  return {
    listen: values.LISTEN,
    identity: values.identity,
    logLevel: values.LOG_LEVEL,
    clockToleranceMs: values.CLOCK_TOLERANCE_MS,
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    ledgerConnections: values.LEDGER_CONNECTIONS,
    settleTimeoutMs: values.SETTLE_TIMEOUT_MS,
    leaseMarginMs: values.CLAIM_LEASE_MARGIN_MS,
    /** In wei. */
    maxFeePerGas: BigInt(Math.round(values.X402_MAX_FEE_GWEI * WEI_PER_GWEI)),
    backend,
    /** Blocks after which a settlement is final. */
    confirmations: confirmationsOf(
      values.X402_CONFIRMATIONS,
      backend.kind === 'sandbox' ? SANDBOX_NETWORK : backend.network,
    ),
    reconcileIntervalMs: values.X402_RECONCILE_INTERVAL_MS,
    finalityIntervalMs: values.X402_FINALITY_INTERVAL_MS,
    /** How long a transaction may wait to be mined before it is replaced. */
    replaceAfterMs: values.X402_REPLACE_AFTER_MS,
    /** How many settlements the signer's balance must pay for. */
    gasReserve: values.X402_GAS_RESERVE,
    /** The keys for the authorizations of payments that are not final. */
    authorizationKeys: authorizationKeysOf(values),
    /** undefined without a key that signs claims. */
    channels: readChannelSettings(values, { kind: backend.kind, dataFolder: values.TOLLHOUSE_DATA }),
  };
}

const authorizationKeysOf = (values: Static<typeof PaymentsEnvironment>): NamedKeysOptions => ({
  name: 'AUTHORIZATION_KEYS',
  text: values.AUTHORIZATION_KEYS,
  path: `${values.TOLLHOUSE_DATA}/keys/authorization`,
  mayCreate: values.CREATE_KEYS,
});

const CHOICES = ['X402_FACILITATOR_URL', 'X402_SIGNER_KEY', 'SANDBOX_RPC_URL'] as const;

function readBackend(values: Static<typeof PaymentsEnvironment>): Backend {
  const chosen = CHOICES.filter((name) => values[name] !== undefined);
  if (chosen.length !== 1) {
    const found = chosen.length === 0 ? 'none' : chosen.join(' and ');
    throw new ConfigurationError(`exactly one of ${CHOICES.join(', ')} must be set; found ${found}`);
  }
  const {
    SANDBOX_RPC_URL: sandboxUrl,
    X402_NETWORK: network,
    X402_FACILITATOR_URL: url,
    X402_RPC_URL: rpcUrl,
  } = values;
  const credentials = () => readFacilitatorCredentials(values);
  if (sandboxUrl !== undefined) {
    const { sandbox } = readParts({
      sandbox: () => ({
        rpcUrl: loopback(sandboxUrl, 'SANDBOX_RPC_URL'),
        stateFile: required(values.SANDBOX_STATE_FILE, 'SANDBOX_STATE_FILE', 'the play chain is kept there'),
      }),
      credentials,
    });
    return { kind: 'sandbox', ...sandbox };
  }
  const payTo = () => getAddress(required(values.X402_PAY_TO, 'X402_PAY_TO', 'the address that is paid'));
  if (url !== undefined) {
    const parts = readParts({ url: () => facilitatorUrl(url), credentials, payTo });
    return { kind: 'facilitator', rpcUrl, network, ...parts };
  }
  const { payTo: paid, signer } = readParts({
    payTo,
    signer: () => ({
      privateKey: required(values.X402_SIGNER_KEY, 'X402_SIGNER_KEY', 'the key that pays for settlements'),
      rpcUrl: required(rpcUrl, 'X402_RPC_URL', 'transactions are sent there'),
    }),
    credentials,
  });
  return { kind: 'signer', ...signer, payTo: paid, network };
}

function required<T>(value: T | undefined, name: string, why: string): T {
  if (value === undefined) throw new ConfigurationError(`${name}: found nothing; it must be set (${why})`);
  return value;
}

/** `fetch` refuses a user, with an error that has the whole URL; and paths are added to the URL. */
function facilitatorUrl(text: string): string {
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` === '') return text;
  throw new ConfigurationError(
    'X402_FACILITATOR_URL: found a user, a password, a query or a fragment; it must have none (X402_FACILITATOR_HEADERS_FILE can have credentials)',
  );
}

/** Credentials are for a facilitator, and cross a network encrypted only. */
function readFacilitatorCredentials(values: Static<typeof PaymentsEnvironment>): CredentialSettings | undefined {
  const credentials = readCredentialSettings(values);
  const { X402_FACILITATOR_URL: url } = values;
  if (credentials === undefined) return undefined;
  if (url === undefined) {
    const name = credentials.kind === 'key' ? 'X402_FACILITATOR_KEY_ID' : 'X402_FACILITATOR_HEADERS_FILE';
    throw new ConfigurationError(`X402_FACILITATOR_URL: found nothing; it must be set, because ${name} is`);
  }
  if (!maySendSecrets(new URL(url))) {
    throw new ConfigurationError('X402_FACILITATOR_URL: found http; it must be https, because credentials are sent');
  }
  return credentials;
}

function loopback(url: string, name: string): string {
  const { hostname } = new URL(url);
  if (!isLoopback(hostname))
    throw new ConfigurationError(
      `${name}: found the host ${hostname}; the sandbox must be on this machine (127.0.0.1)`,
    );
  return url;
}
