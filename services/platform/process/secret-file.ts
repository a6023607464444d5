import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeBase64 } from '../base64.ts';
import { ConfigurationError } from './environment.ts';
import { COMMAND_LINES } from './installation.ts';
import { hasCode } from './system-error.ts';

/** A key of 32 bytes that is in a file of the data folder, because its variable is not set. */
export interface KeptKey {
  readonly path: string;
  /** Name of the variable. */
  readonly name: string;
  /** Whether a missing key is made. Outside the sandbox, another copy would have another one, and a backup none. */
  readonly mayCreate: boolean;
}

/** Reads a key, or makes it, readable only by its owner. @throws {ConfigurationError} */
export function readKeptKey(key: KeptKey): Buffer {
  checkKeptKey(key);
  return existsSync(key.path) ? readSecret(key.path) : createSecret(key.path);
}

/** Makes nothing. @throws {ConfigurationError} if `readKeptKey` would */
export function checkKeptKey({ path, name, mayCreate }: KeptKey): void {
  if (existsSync(path)) readSecret(path);
  else if (!mayCreate) {
    throw new ConfigurationError(
      `${name}: found nothing, and no file ${path}; ${COMMAND_LINES.tollhouse} keys create FOLDER makes all keys, and prints the settings that name them`,
    );
  }
}

function createSecret(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    // A link is atomic: it creates the whole file, or fails because another process was first.
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readSecret(path);
}

/** Reads a secret that must exist. @throws {Error} ENOENT. @throws {ConfigurationError} if the file does not hold a secret */
export function readSecret(path: string): Buffer {
  const secret = decodeBase64(readFileSync(path, 'utf8').trim());
  if (secret?.length !== 32) throw new ConfigurationError(`${path} does not hold 32 bytes in base64`);
  return secret;
}
