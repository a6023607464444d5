import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { defined } from '../../../workers/exact/defined.ts';
import type { AccessRequest } from './access-request.ts';

/**
 * SHA-256, in hex, of a JSON value in canonical form (RFC 8785): equal bodies have one digest, whatever the order and
 * spacing of their members. The value is one of `parseStrictJson`, without lone surrogates or infinities.
 */
export function digestBody(body: unknown): string {
  return hash('sha256', defined(canonicalize(body)));
}

/** SHA-256, in hex, of the request that a payment or voucher pays for. A call has one, however it is paid. */
export const fingerprintOf = ({ operation, body }: Pick<AccessRequest, 'operation' | 'body'>): string =>
  hash('sha256', `POST ${operation.path} ${digestBody(body)}`);
