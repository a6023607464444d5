import { SECRETS, type Secret } from '../../../services/platform/process/secret-files.ts';

/**
 * Flags of processes that wait for others and pass data on. By default, V8 keeps up to 128 MB for new objects while a process
 * is busy, and collects old ones when they are four times as many as were left the last time.
 */
const FREQUENT_COLLECTION = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

export interface Program {
  /** Path of the module, from the root of the checkout. */
  readonly entry: string;
  /** For Node and V8. */
  readonly flags: readonly string[];
  /** Those of its settings. It gets no others. */
  readonly secrets: readonly Secret[];
}

const serviceOf = (name: string, secrets: Program['secrets'], flags: Program['flags'] = []): Program => ({
  entry: `services/${name}/main.ts`,
  flags,
  secrets,
});

/** The programs of the product, by name. */
export const PROGRAMS = {
  gateway: {
    entry: 'gateway/main.ts',
    flags: FREQUENT_COLLECTION,
    secrets: ['CHALLENGE_KEYS', 'FINGERPRINT_KEY', 'OPERATOR_KEY_HASHES', 'REDIS_URL'],
  },
  content: serviceOf('content', []),
  maps: serviceOf('maps', ['MAPS_PROVIDER_KEY', 'MAPS_PROVIDER_URL']),
  payments: serviceOf(
    'payments',
    [
      'AUTHORIZATION_KEYS',
      'DATABASE_URL',
      'X402_FACILITATOR_KEY_SECRET',
      'X402_FACILITATOR_URL',
      'X402_RECEIVER_AUTHORIZER_KEY',
      'X402_RPC_URL',
      'X402_SIGNER_KEY',
    ],
    FREQUENT_COLLECTION,
  ),
  backoffice: serviceOf(
    'backoffice',
    ['DATABASE_URL', 'OPERATOR_KEY_HASHES', 'RETENTION_KEYS', 'WEBHOOK_SECRET', 'WEBHOOK_URL'],
    FREQUENT_COLLECTION,
  ),
  verification: serviceOf('verification', ['DATABASE_URL', 'HUBSPOT_TOKENS', 'PROOF_ISSUER_KEY', 'PROOF_LOG_KEY']),
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof PROGRAMS;

type Environment = Readonly<Record<string, string | undefined>>;

/** An environment without the secrets of other programs, and without the names of their files. */
export function environmentFor({ secrets }: Pick<Program, 'secrets'>, given: Environment): Environment {
  const others = SECRETS.filter((name) => !secrets.includes(name)).flatMap((name) => [name, `${name}_FILE`]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !others.includes(name)));
}
