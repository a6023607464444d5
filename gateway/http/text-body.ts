import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { refuseOtherTypes } from './json-body.ts';
import type { ReadBody } from './read-body.ts';

/** Keeps a byte order mark: the parser refuses it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface TextBody {
  /** The media type of the bodies, JSON by default. Any other is refused. */
  readonly type?: string;
  readonly maxBytes?: number;
}

/** Keeps bodies of the routes of `scope` as text. A strict parser reads them later. */
export function registerTextBody(
  scope: FastifyInstance,
  readBody: ReadBody,
  { type = 'application/json', maxBytes }: TextBody = {},
): void {
  scope.removeContentTypeParser(['application/json', '*']);
  scope.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readBody(request, payload, maxBytes);
    try {
      return decoder.decode(body);
    } catch (error) {
      throw new AppError('INVALID_JSON', 'the body is not UTF-8', { cause: error });
    }
  });
  refuseOtherTypes(scope, readBody, type);
}
