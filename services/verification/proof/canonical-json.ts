import canonicalize from 'canonicalize';
import { parseStrictJsonBytes, RECORD_JSON } from '../../../workers/exact/strict-json.ts';

/**
 * The canonical bytes of a JSON value (JCS, RFC 8785).
 * @throws {TypeError} for any other value
 */
export function canonicalBytes(value: unknown): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return Buffer.from(text);
}

/**
 * Reads the bytes of a record: a plan, its actions, a proof.
 * @throws {StrictJsonError}
 */
export function parseRecord(bytes: Uint8Array, maxBytes: number): unknown {
  return parseStrictJsonBytes(bytes, maxBytes, RECORD_JSON);
}

/** Whether `bytes` are the canonical bytes of `value`, which was parsed from them. */
export function isCanonicalOf(bytes: Uint8Array, value: unknown): boolean {
  return canonicalBytes(value).equals(bytes);
}

/** Whether `bytes` are a record's canonical bytes. */
export function isCanonical(bytes: Uint8Array, maxBytes: number): boolean {
  try {
    return isCanonicalOf(bytes, parseRecord(bytes, maxBytes));
  } catch {
    return false;
  }
}
