import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeBase64 } from '../base64.ts';
import { ConfigurationError } from './environment.ts';
import { hasCode } from './system-error.ts';

/** Reads a secret of 32 bytes from `path`. At first use, creates it there, readable only by its owner. */
export function readOrCreateSecret(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  try {
    return readSecret(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
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
