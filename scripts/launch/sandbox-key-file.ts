import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { errorCodeOf } from './parse/error-code.ts';
import { createJsonReader } from './parse/json-reader.ts';

const Key = Type.String({ minLength: 1 });
const KeptKeys = Type.Partial(Type.Object({ agent: Key, approver: Key, reader: Key, operator: Key }));
type KeptKeys = Readonly<Static<typeof KeptKeys>>;

const parseKeys = createJsonReader(KeptKeys, 'the file of sandbox keys');
const fileIn = (dataDir: string): string => join(dataDir, 'keys', 'sandbox.json');

/** Reads the keys that a sandbox keeps in its data folder. @throws {Error} if the file is not as it was written */
export function readKeptKeys(dataDir: string): KeptKeys {
  try {
    return parseKeys(readFileSync(fileIn(dataDir), 'utf8'));
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return {};
    throw error;
  }
}

/** Adds keys to the file, which only its owner can read, or replaces those of the same names. */
export function keepKeys(dataDir: string, keys: KeptKeys): void {
  const file = fileIn(dataDir);
  mkdirSync(join(dataDir, 'keys'), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...readKeptKeys(dataDir), ...keys }, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(draft, file);
}

/** @returns the sandbox's operator key, which is created at first use */
export function ensureOperatorKey(dataDir: string): string {
  const { operator } = readKeptKeys(dataDir);
  if (operator !== undefined) return operator;
  const made = randomBytes(32).toString('base64url');
  keepKeys(dataDir, { operator: made });
  return made;
}
