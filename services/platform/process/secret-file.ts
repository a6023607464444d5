import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeBase64 } from '../base64.ts';

/** A secret of 32 bytes that is made at first use and kept in `path`, readable by its owner alone. */
export function readOrCreateSecret(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  try {
    return parseSecret(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    // A link either makes the file, whole, or finds that another process was first.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return parseSecret(path);
}

function parseSecret(path: string): Buffer {
  const secret = decodeBase64(readFileSync(path, 'utf8').trim());
  if (secret?.length !== 32) throw new Error(`${path} does not hold 32 bytes in base64`);
  return secret;
}
