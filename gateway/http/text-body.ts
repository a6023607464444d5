import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** A byte order mark stays: it is for the reader to refuse, as over any other way. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Has JSON bodies of the routes of `scope` left as text, for one strict reader further on. */
export function registerTextBody(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, decoder.decode(body as Buffer));
    } catch (error) {
      done(new AppError('INVALID_JSON', 'the body is not UTF-8', { cause: error }));
    }
  });
}
