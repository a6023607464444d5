import { createHash, hash } from 'node:crypto';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { type DigestDomain, digestPrefix } from '../contract/proof/digest.ts';

/** The canonical text of a JSON value in UTF-8. @throws {TypeError} for any other value */
export const canonicalBytes = (value: unknown): Buffer => Buffer.from(canonicalText(value));

/**
 * SHA-256("tollhouse:<domain>:v1\0" ‖ JCS(value)), in lower-case hex.
 * @throws {TypeError} for a value that is not JSON
 */
export function digestRecord(domain: DigestDomain, value: unknown): string {
  return digestCanonical(domain, canonicalBytes(value));
}

/** Like `digestRecord`, for bytes that are known to be canonical, such as stored ones. */
export function digestCanonical(domain: DigestDomain, canonical: Uint8Array): string {
  return createHash('sha256').update(digestPrefix(domain)).update(canonical).digest('hex');
}

/** SHA-256("tollhouse:tool:v2\0" ‖ canonical text) of a tool's description, in lower-case hex. */
export function digestTool(canonical: Uint8Array): string {
  return createHash('sha256').update('tollhouse:tool:v2\0').update(canonical).digest('hex');
}

/** SHA-256 of bytes without a prefix, in lower-case hex. Used for artifacts, which others hash too. */
export function digestBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
