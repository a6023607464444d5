import { readFileSync } from 'node:fs';
import { ConfigurationError } from './environment.ts';

/** Variables with a secret, or with a URL that may have one. Each can be in a file that the variable `<NAME>_FILE` names. */
export const SECRETS = [
  'AUTHORIZATION_KEYS',
  'CHALLENGE_KEYS',
  'DATABASE_URL',
  'FINGERPRINT_KEY',
  'HUBSPOT_TOKENS',
  'MAPS_PROVIDER_KEY',
  'MAPS_PROVIDER_URL',
  'OPERATOR_KEY_HASHES',
  'PROOF_ISSUER_KEY',
  'PROOF_LOG_KEY',
  'REDIS_URL',
  'RETENTION_KEYS',
  'WEBHOOK_SECRET',
  'WEBHOOK_URL',
  'X402_FACILITATOR_KEY_SECRET',
  'X402_FACILITATOR_URL',
  'X402_RECEIVER_AUTHORIZER_KEY',
  'X402_RPC_URL',
  'X402_SIGNER_KEY',
] as const;

export type Secret = (typeof SECRETS)[number];

/**
 * Reads the files of secrets into the environment, before anything else reads it. One newline at the end of a file is left
 * out. Processes that this one starts find the values, and not the files.
 * @param read variables of this process. Files of others stay closed.
 * @throws {ConfigurationError} that names every file that cannot be used. It has nothing of a file.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv, read: readonly string[] = SECRETS): void {
  const faults: string[] = [];
  for (const name of SECRETS.filter((each) => read.includes(each))) {
    const variable = `${name}_FILE`;
    const path = environment[variable];
    if (path === undefined || path === '') continue;
    const text = readText(path);
    if (environment[name]) faults.push(`${name}: found a value, and a file in ${variable}; set one of them`);
    else if (text === undefined) faults.push(`${variable}: the file ${path} cannot be read`);
    else if (text === '') faults.push(`${variable}: the file ${path} is empty`);
    else environment[name] = text;
    delete environment[variable];
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
