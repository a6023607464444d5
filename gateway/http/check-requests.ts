import type { FastifyInstance, FastifyRequest } from 'fastify';
import { defined } from '../../workers/exact/defined.ts';
import { AppError } from '../errors/app-error.ts';
import { valuesOf } from './read-header.ts';

/** Refuses ambiguous requests and those that RFC 9110 and 9112 forbid. Node would answer some without the envelope. */
export function checkRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(faultOf(request));
  });
}

function faultOf({ raw }: FastifyRequest): AppError | undefined {
  if (raw.httpVersionMajor !== 1) return refusal('use HTTP/1.1');
  const [host, ...otherHosts] = valuesOf(raw, 'host');
  // A proxy in front of the gateway may use another one than the gateway does.
  if (otherHosts.length > 0) return refusal('Host was sent more than once');
  if (host === undefined && raw.httpVersionMinor === 1) return refusal('send a Host header');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(defined(raw.url))?.[1];
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
