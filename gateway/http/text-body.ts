import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { ReadBody } from './read-body.ts';

/** A byte order mark stays: it is for the reader to refuse, as over any other way. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Leaves JSON bodies of the routes of `scope` as text: a strict reader parses them later. */
export function registerTextBody(scope: FastifyInstance, readBody: ReadBody): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readBody(request, payload);
    try {
      return decoder.decode(body);
    } catch (error) {
      throw new AppError('INVALID_JSON', 'the body is not UTF-8', { cause: error });
    }
  });
}
