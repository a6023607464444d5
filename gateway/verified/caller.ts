import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { VerificationClient } from '../clients/verification-client.ts';
import { AppError } from '../errors.ts';
import { readHeader } from '../http/read-header.ts';

const AUTHENTICATE_TIMEOUT_MS = 5000;
const BEARER = /^Bearer +([!-~]{1,256}) *$/i;

/** Who calls what anyone may call. */
export const NOBODY: Caller = { tenantId: '', keyId: '', role: 0, scopes: [], keyGroup: '' };

/** Whose the key of `Authorization: Bearer` is (RFC 6750, section 2.1). @throws {AppError} UNAUTHENTICATED */
export async function authenticate(request: FastifyRequest, verification: VerificationClient): Promise<Caller> {
  const [, key] = BEARER.exec(readHeader(request, 'authorization') ?? '') ?? [];
  if (key !== undefined) {
    return verification.authenticate(key, { requestId: request.id, timeoutMs: AUTHENTICATE_TIMEOUT_MS });
  }
  throw new AppError('UNAUTHENTICATED', 'send your API key: Authorization: Bearer thk_…', {
    headers: { 'www-authenticate': 'Bearer realm="tollhouse"' },
  });
}
