import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256, in hex, of a JSON value in canonical form (RFC 8785), so that the same body has one digest however its
 * members are ordered and spaced. The value has neither lone surrogates nor infinities: `parseStrictJson` saw to that.
 */
export function digestBody(body: unknown): string {
  return hash('sha256', canonicalize(body) ?? '');
}
