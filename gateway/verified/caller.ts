import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { VerificationClient } from '../clients/verified-clients.ts';
import { AppError } from '../errors/app-error.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { readHeader } from '../http/read-header.ts';

const AUTHENTICATE_TIMEOUT_MS = 5000;
const BEARER = /^Bearer +([!-~]{1,256}) *$/i;

/** Who calls what anyone may call. */
export const NOBODY: Caller = { tenantId: '', keyId: '', role: 0, scopes: [], keyGroup: '' };

/**
 * Whose the key of `Authorization: Bearer` is (RFC 6750, section 2.1). From here on failures of the request count against
 * the key, and no longer against the address.
 * @throws {AppError} UNAUTHENTICATED, RATE_LIMITED
 */
export async function authenticate(
  request: FastifyRequest,
  verification: VerificationClient,
  limiter: RateLimiter,
): Promise<Caller> {
  const [, key] = BEARER.exec(readHeader(request, 'authorization') ?? '') ?? [];
  if (key !== undefined) {
    const caller = await verification.authenticate(key, {
      requestId: request.id,
      timeoutMs: AUTHENTICATE_TIMEOUT_MS,
    });
    limiter.admit(request, caller.keyId);
    return caller;
  }
  throw new AppError('UNAUTHENTICATED', 'send your API key: Authorization: Bearer thk_…', {
    headers: { 'www-authenticate': 'Bearer realm="tollhouse"' },
  });
}
