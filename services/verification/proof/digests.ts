import { createHash, hash } from 'node:crypto';
import { canonicalBytes } from './canonical-json.ts';

/**
 * What a digest is of. Each has its own prefix, so that no record of one kind has the digest of another kind: an
 * approved plan cannot be shown as an execution that has the same bytes.
 */
export type DigestDomain =
  | 'artifact'
  | 'cursor'
  | 'evidence'
  | 'execution'
  | 'inputs'
  | 'intents'
  | 'plan'
  | 'request'
  | 'sheet'
  | 'tenant';

/**
 * SHA-256("tollhouse:<domain>:v1\0" ‖ JCS(value)), in lower-case hex.
 * @throws {TypeError} for what is not a JSON value
 */
export function digestRecord(domain: DigestDomain, value: unknown): string {
  return digestCanonical(domain, canonicalBytes(value));
}

/** As `digestRecord`, of bytes that are known to be canonical: what was stored, read back. */
export function digestCanonical(domain: DigestDomain, canonical: Uint8Array): string {
  return createHash('sha256').update(`tollhouse:${domain}:v1\0`).update(canonical).digest('hex');
}

/** SHA-256 of bytes as they are, in lower-case hex: of artifacts, which others hash as well. */
export function digestBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
