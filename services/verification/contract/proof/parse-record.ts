import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { parseStrictJsonBytes, RECORD_JSON } from '../../../../workers/exact/strict-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
