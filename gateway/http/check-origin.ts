import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { canonicalAddress } from './client-address.ts';
import { readHeader } from './read-header.ts';

/**
 * Refuses DNS rebinding: a page whose host resolves to the gateway's address sends its own name as Origin and Host. So
 * the Origin, if there is one, must be a public URL. The Host must be that of a public URL, or an address or localhost,
 * which no page can choose: many proxies send the address by which they reach the gateway.
 * @throws {AppError} ORIGIN_NOT_ALLOWED
 */
export function checkOrigin(request: FastifyRequest, publicUrls: readonly URL[]): void {
  const origin = readHeader(request, 'origin');
  const isOwn = origin === undefined || publicUrls.some((url) => url.origin === origin);
  if (!isOwn) throw refusal('pages of other origins', publicUrls);
  if (!isPublic(request.host, publicUrls) && !isAddress(request.host)) {
    throw refusal('requests to other hosts', publicUrls);
  }
}

const isPublic = (called: string, publicUrls: readonly URL[]): boolean =>
  publicUrls.some(({ protocol, host }) => URL.parse(`${protocol}//${called}`)?.host === host);

const isAddress = (called: string): boolean =>
  isIP(canonicalAddress(called)) !== 0 || /^localhost(?::\d+)?$/i.test(called);

function refusal(what: string, publicUrls: readonly URL[]): AppError {
  const known = publicUrls.map(({ origin }) => origin).join(', ');
  return new AppError(
    'ORIGIN_NOT_ALLOWED',
    `${what} are not answered here; the public URLs are ${known} (PUBLIC_URLS)`,
  );
}
