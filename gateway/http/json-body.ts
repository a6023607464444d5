import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { I_JSON, parseStrictJsonBytes, StrictJsonError } from '../../workers/exact/strict-json.ts';
import { AppError } from '../errors/app-error.ts';
import type { ReadBody } from './read-body.ts';

const MAX_FIELD_CHARACTERS = 64;

/** Parses JSON bodies strictly. An empty body of any type is `undefined`; any other type is refused with 415. */
export function registerJsonBody(app: FastifyInstance, readBody: ReadBody): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Decompression could turn a kilobyte into a gigabyte.
    const encoding = request.headers['content-encoding'];
    const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
    done(isPlain ? null : unsupported('send the body without Content-Encoding'), payload);
  });
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readBody(request, payload);
    try {
      return body.length === 0 ? undefined : parseStrictJsonBytes(body, body.length, I_JSON);
    } catch (error) {
      if (!(error instanceof StrictJsonError)) throw error;
      throw new AppError('INVALID_JSON', `the body is ${describe(error)}`, { cause: error });
    }
  });
  refuseOtherTypes(app, readBody, 'application/json');
}

/** Refuses bodies of any other type with 415. */
export function refuseOtherTypes(app: FastifyInstance, readBody: ReadBody, type: string): void {
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readBody(request, payload);
    if (body.length > 0) throw unsupported(`send Content-Type: ${type}`);
  });
}

/** What is wrong, and in which field if it is known. Only the beginning of a field's name is repeated: it may be long. */
function describe({ code, pointer, message }: StrictJsonError): string {
  if (code === 'SYNTAX') return message;
  const field = pointer.slice(1, 1 + MAX_FIELD_CHARACTERS).replaceAll('/', '.');
  return `not JSON that can be taken: ${field === '' ? '' : `${field}: `}${message}`;
}

function unsupported(message: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message);
}
