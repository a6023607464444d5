import type { FastifyInstance } from 'fastify';
import { parseStrictJson } from '../access/strict-json.ts';
import { AppError } from '../errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** JSON bodies, read strictly. An empty body of any type is `undefined`; any other type is 415. */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', async (request, _reply, payload) => {
    // Inflating what a stranger sends is how a kilobyte becomes a gigabyte.
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'send the body without Content-Encoding');
    }
    return payload;
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) return undefined;
    try {
      return parseStrictJson(decoder.decode(body));
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it cannot be read';
      throw new AppError('INVALID_JSON', `the body is not JSON: ${reason}`, { cause: error });
    }
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) return undefined;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'send Content-Type: application/json');
  });
}
