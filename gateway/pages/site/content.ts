import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { weightOf } from '../../http/accept.ts';
import { once } from './once.ts';

/** The next quality takes ten times as long, for 8 % of the size. */
const BROTLI_QUALITY = 9;

/** A text that is sent as often as it is asked for. */
export interface Content {
  /** Changes with the bytes. */
  readonly hash: string;
  /** Answers with the bytes, compressed if the client takes that, or with 304 if it has them (RFC 9110, 13.1.2). */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** Each compressed form is made at its first use, on a thread of the process. */
export function createContent(bytes: Buffer): Content {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  // One tag for all forms, so it is weak (RFC 9110, 8.8.1).
  const tag = `"${hash}"`;
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const forms = {
    br: once(() => promisify(brotliCompress)(bytes, { params })),
    gzip: once(() => promisify(gzip)(bytes, { level: 9 })),
  };
  return {
    hash,
    async send({ headers }, reply) {
      reply.headers({ etag: `W/${tag}`, vary: 'accept-encoding' });
      const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
      if (known?.some((one) => one === tag || one === '*')) return reply.code(304).send();
      const encoding = encodingOf(headers['accept-encoding']);
      if (encoding === undefined) return reply.send(bytes);
      return reply.header('content-encoding', encoding).send(await forms[encoding]());
    },
  };
}

/** The encoding that a client weighs most (RFC 9110, 12.5.3), if it names one. One that it takes by `*` is not used. */
export function encodingOf(header: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const names = String(header ?? '');
  const [br, gzipped] = [weightOf(names, 'br'), weightOf(names, 'gzip')];
  if (br > 0 && br >= gzipped) return 'br';
  return gzipped > 0 ? 'gzip' : undefined;
}
