import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { isCanonicalOf, parseRecord } from '../contract/proof/canonical-json.ts';

/**
 * The canonical bytes of a JSON value (JCS, RFC 8785).
 * @throws {TypeError} for any other value
 */
export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(canonicalText(value));
}

/** Whether `bytes` are a record's canonical bytes. */
export function isCanonical(bytes: Uint8Array, maxBytes: number): boolean {
  try {
    return isCanonicalOf(bytes, parseRecord(bytes, maxBytes));
  } catch {
    return false;
  }
}
