import { type Static, Type } from 'typebox';
import { readIdentity, TlsConfig } from '../platform/grpc/identity.ts';
import { ConfigurationError, readConfiguration, readParts } from '../platform/process/environment.ts';
import { checkKeptKey, readKeptKey } from '../platform/process/secret-file.ts';
import {
  CreateKeys,
  DataFolder,
  databaseUrl,
  httpUrl,
  Listen,
  LogLevel,
  readSecretUrl,
} from '../platform/process/settings.ts';
import { readToolList } from './catalogue/tool-list.ts';
import { MAX_EXPIRY_GRACE_MS } from './contract/arguments.ts';
import type { LogKey } from './contract/proof/key-file.ts';
import { ProofError } from './contract/proof/proof-error.ts';
import { ORIGIN_PATTERN } from './contract/proof/signed-note.ts';
import { type SigningKey, signingKeyFromSeed } from './proof/ed25519.ts';
import { loadSigningKey } from './proof/keys.ts';
import { readHubspotTokens } from './users/hubspot-settings.ts';

/** Environment of the verification service. */
export const VerificationConfig = Type.Object({
  LISTEN: Listen('127.0.0.1:8415'),
  ...TlsConfig,
  LOG_LEVEL: LogLevel,
  TOLLHOUSE_DATA: DataFolder,
  DATABASE_URL: databaseUrl(Type.String({ description: 'PostgreSQL 15 or later' })),
  VERIFICATION_CONNECTIONS: Type.Integer({
    default: 16,
    minimum: 2,
    maximum: 200,
    description: 'database connections of this process',
  }),
  STORAGE_MODE: Type.Enum(['file', 'postgres'], {
    default: 'postgres',
    description: 'file: the database is the server that Tollhouse runs in the data folder',
  }),
  STORAGE_SOURCE: Type.Enum(['explicit', 'default'], {
    default: 'explicit',
    description: 'explicit: the operator chose where the records are stored',
  }),
  VERIFICATION_SANDBOX: Type.Boolean({
    default: false,
    description: 'true: plans and proofs have no value outside the sandbox',
  }),
  SOLVER_THREADS: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: 'solver threads; a tenant may use all but one' }),
  ),
  EXPIRY_GRACE_MS: Type.Integer({
    default: 900_000,
    minimum: 0,
    maximum: MAX_EXPIRY_GRACE_MS,
    description:
      'how long after a plan expired an execution can be recorded whose checks were made before, in milliseconds',
  }),
  TOOL_EFFECTS: Type.String({
    default: '',
    description:
      'least effect of each tool, and the JSON pointer to the id of the act in its response, such as order.get=none,pay.refund=revenue_write:/id; every other tool is revenue_write',
  }),
  HUBSPOT_TOKENS: Type.String({
    default: '',
    description: 'tokens of tenants whose users are in HubSpot: TENANT_ID=TOKEN, comma-separated',
  }),
  HUBSPOT_URL: httpUrl(
    Type.String({ default: 'https://api.hubapi.com', description: 'https base URL of the HubSpot API' }),
  ),
  CREATE_KEYS: CreateKeys,
  PROOF_ISSUER_KEY: Type.Optional(
    Type.String({ description: 'Ed25519 key that signs proofs: PEM, or base64 of 32 bytes' }),
  ),
  PROOF_LOG_KEY: Type.Optional(
    Type.String({
      description: 'Ed25519 key that signs the log, other than PROOF_ISSUER_KEY: PEM, or base64 of 32 bytes',
    }),
  ),
  PROOF_LOG_ORIGIN: Type.String({
    default: 'tollhouse/proofs',
    pattern: `^${ORIGIN_PATTERN}$`,
    description: 'name of the log; the first line of its checkpoints',
  }),
});

export type VerificationConfig = Static<typeof VerificationConfig>;

/** @throws {ConfigurationError} without a key or token in its message */
export const readConfig = (environment: NodeJS.ProcessEnv) =>
  readConfiguration(VerificationConfig, environment, (values) => ({
    identity: () => readIdentity('verification', values, { LISTEN: values.LISTEN }),
    givenKeys: () => readGivenKeys(values),
    issuer: () => checkKey(values, 'PROOF_ISSUER_KEY'),
    log: () => checkKey(values, 'PROOF_LOG_KEY'),
    toolList: () => readToolList(values.TOOL_EFFECTS),
    hubspotUrl: () => readSecretUrl('HUBSPOT_URL', values.HUBSPOT_URL),
    hubspotTokens: () => readHubspotTokens(values.HUBSPOT_TOKENS),
  }));

/** The keys of the configuration, or those that are kept in the data folder. @throws {ConfigurationError} */
export function readProofKeys(config: VerificationConfig): {
  readonly issuer: SigningKey;
  readonly log: LogKey<SigningKey>;
} {
  const given = readGivenKeys(config);
  const issuer = given.issuer ?? signingKeyFromSeed(readKeptKey(keptKey(config, 'PROOF_ISSUER_KEY')));
  const key = given.log ?? signingKeyFromSeed(readKeptKey(keptKey(config, 'PROOF_LOG_KEY')));
  assertDistinct(issuer, key);
  return { issuer, log: { origin: config.PROOF_LOG_ORIGIN, key } };
}

const KEY_FILES = { PROOF_ISSUER_KEY: 'proof-issuer', PROOF_LOG_KEY: 'proof-log' } as const;

const keptKey = ({ TOLLHOUSE_DATA, CREATE_KEYS }: VerificationConfig, name: keyof typeof KEY_FILES) => ({
  name,
  path: `${TOLLHOUSE_DATA}/keys/${KEY_FILES[name]}`,
  mayCreate: CREATE_KEYS,
});

function checkKey(config: VerificationConfig, name: keyof typeof KEY_FILES): void {
  if (config[name] === undefined) checkKeptKey(keptKey(config, name));
}

function readGivenKeys({ PROOF_ISSUER_KEY, PROOF_LOG_KEY }: VerificationConfig) {
  const keys = readParts({
    issuer: () => readKey('PROOF_ISSUER_KEY', PROOF_ISSUER_KEY),
    log: () => readKey('PROOF_LOG_KEY', PROOF_LOG_KEY),
  });
  assertDistinct(keys.issuer, keys.log);
  return keys;
}

function assertDistinct(issuer: SigningKey | undefined, log: SigningKey | undefined): void {
  if (issuer === undefined || issuer.keyid !== log?.keyid) return;
  throw new ConfigurationError('PROOF_LOG_KEY: found the key of PROOF_ISSUER_KEY');
}

function readKey(name: string, given: string | undefined): SigningKey | undefined {
  if (given === undefined) return undefined;
  try {
    return loadSigningKey(given);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new ConfigurationError(`${name}: found a value that is not a key: ${error.message}`);
  }
}
