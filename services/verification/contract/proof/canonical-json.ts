import canonicalize from 'canonicalize';
import { parseStrictJsonBytes, RECORD_JSON } from '../../../../workers/exact/strict-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The canonical text of a JSON value (JCS, RFC 8785).
 * @throws {TypeError} for any other value
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/**
 * Reads the bytes of a record: a plan, its actions, a proof.
 * @throws {StrictJsonError}
 */
export function parseRecord(bytes: Uint8Array, maxBytes: number): unknown {
  return parseStrictJsonBytes(bytes, maxBytes, RECORD_JSON);
}

/** What to tell of a file whose value is right and whose bytes are not canonical. */
export const REFORMATTED =
  'was changed after it was answered, if only by a newline, indentation or another order of members: save it byte for byte';

/** Whether `bytes` are the canonical bytes of `value`, which was parsed from them. */
export function isCanonicalOf(bytes: Uint8Array, value: unknown): boolean {
  // Bytes that were parsed are valid UTF-8, so equal texts have equal bytes.
  return utf8.decode(bytes) === canonicalText(value);
}
