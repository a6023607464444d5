import { hash } from 'node:crypto';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';

/**
 * SHA-256, in hex, of a JSON value in canonical form (RFC 8785): equal bodies have one digest, whatever the order and
 * spacing of their members. The value is one of `parseStrictJson`, without lone surrogates or infinities.
 */
export function digestBody(body: unknown): string {
  return hash('sha256', canonicalText(body));
}
