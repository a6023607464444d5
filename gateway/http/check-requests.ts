import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';

/** Refuses requests that RFC 9110 and 9112 forbid or that are ambiguous. Node would answer some outside the envelope. */
export function checkRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(faultOf(request));
  });
}

function faultOf({ raw }: FastifyRequest): AppError | undefined {
  if (raw.httpVersionMajor !== 1) return refusal('use HTTP/1.1');
  const hosts = raw.headersDistinct['host'] ?? [];
  // A proxy in front of us may take another one of them than we do.
  if (hosts.length > 1) return refusal('Host was sent more than once');
  const [host] = hosts;
  if (host === undefined && raw.httpVersionMinor === 1) return refusal('send a Host header');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1];
  if (authority !== undefined && host !== undefined && authority.toLowerCase() !== host.toLowerCase()) {
    return refusal('Host is not the host of the request');
  }
  const { expect } = raw.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue' && raw.httpVersionMinor === 1) {
    return new AppError('EXPECTATION_FAILED', 'only Expect: 100-continue is supported');
  }
  return undefined;
}

function refusal(message: string): AppError {
  return new AppError('INVALID_REQUEST', message, { headers: { connection: 'close' } });
}
