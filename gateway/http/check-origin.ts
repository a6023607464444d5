import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { readHeader } from './read-header.ts';

/**
 * Refuses DNS rebinding: a page whose host resolves to the gateway's address sends its own name as Origin and Host. So
 * the Origin, if there is one, and the Host must be those of a public URL.
 * @throws {AppError} ORIGIN_NOT_ALLOWED
 */
export function checkOrigin(request: FastifyRequest, publicUrls: readonly URL[]): void {
  const origin = readHeader(request, 'origin');
  const isOwn = origin === undefined || publicUrls.some((url) => url.origin === origin);
  if (!isOwn) throw refusal('pages of other origins', publicUrls);
  const isCalled = publicUrls.some(({ protocol, host }) => URL.parse(`${protocol}//${request.host}`)?.host === host);
  if (!isCalled) throw refusal('requests to other hosts', publicUrls);
}

function refusal(what: string, publicUrls: readonly URL[]): AppError {
  const known = publicUrls.map(({ origin }) => origin).join(', ');
  return new AppError(
    'ORIGIN_NOT_ALLOWED',
    `${what} are not answered here; the public URLs are ${known} (PUBLIC_URLS)`,
  );
}
