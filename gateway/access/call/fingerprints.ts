import { createHmac, createSecretKey } from 'node:crypto';
import type { AccessRequest } from './access-request.ts';
import { digestBody } from './body-digest.ts';

/**
 * Makes the fingerprints by which the records of payments know a request again: HMAC-SHA-256 (RFC 2104), in hex. They stay for
 * years, and most requests can be guessed, so only who has the key may be able to compare a guess.
 */
export interface Fingerprints {
  /** Of the request that a payment or voucher pays for. A call has one, however it is paid. */
  ofRequest(request: Pick<AccessRequest, 'operation' | 'body'>): string;
  /** Of a client's network, which is kept for a day. */
  ofNetwork(network: string): string;
  /** Of the identifier that a payer gave to a call. */
  ofIdentifier(identifier: string): string;
  /** Tells whether two gateways have the same key, and nothing more. */
  readonly keyCheck: string;
}

/** @param key of 32 bytes or more, the same in every gateway */
export function createFingerprints(key: Uint8Array): Fingerprints {
  const secret = createSecretKey(key);
  const fingerprint = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  return {
    ofRequest: ({ operation, body }) => fingerprint(`request\0POST ${operation.path} ${digestBody(body)}`),
    ofNetwork: (network) => fingerprint(`network\0${network}`),
    ofIdentifier: (identifier) => fingerprint(`identifier\0${identifier}`),
    keyCheck: fingerprint('key'),
  };
}
