import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { readHeader } from '../http/read-header.ts';

/**
 * A page whose host was made to resolve to ours (DNS rebinding) sends its own name, as Origin and as Host: whoever calls
 * from a page is on a public URL, and whoever calls at all calls one.
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
  return new AppError('ORIGIN_NOT_ALLOWED', `${what} are not answered here; it is known as ${known} (PUBLIC_URLS)`);
}
