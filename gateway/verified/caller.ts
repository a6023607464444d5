import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { KEY_CHALLENGE } from '../clients/call-error.ts';
import type { VerificationClient } from '../clients/verified-clients.ts';
import { AppError } from '../errors/app-error.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { readHeader } from '../http/read-header.ts';

const AUTHENTICATE_TIMEOUT_MS = 5000;
const BEARER = /^Bearer +([!-~]{1,256}) *$/i;

/** The caller of a public endpoint. */
export const NOBODY: Caller = { tenantId: '', keyId: '', role: 0, scopes: [], keyGroup: '' };

/**
 * The owner of the key in `Authorization: Bearer` (RFC 6750, section 2.1). From then on, failures of the request count
 * against the key instead of the address.
 * @throws {AppError} UNAUTHENTICATED, RATE_LIMITED
 */
export async function authenticate(
  request: FastifyRequest,
  verification: VerificationClient,
  limiter: RateLimiter,
): Promise<Caller> {
  const authorization = readHeader(request, 'authorization');
  const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (key === undefined) {
    throw new AppError('UNAUTHENTICATED', 'send your API key: Authorization: Bearer thk_…', { headers: KEY_CHALLENGE });
  }
  const caller = await verification.authenticate(key, { requestId: request.id, timeoutMs: AUTHENTICATE_TIMEOUT_MS });
  limiter.admit(request, caller.keyId);
  return caller;
}
