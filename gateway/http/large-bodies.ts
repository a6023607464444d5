import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Smaller bodies cost a millisecond or two each. */
const LARGE_BYTES = 512 * 1024;
/** Eight of the largest. One of them takes 150 ms of the event loop and some 30 MB of memory. */
const MAX_HANDLED_BYTES = 64 * 1024 * 1024;

/**
 * Bounds the large requests that are handled at a time: large ones can neither fill the memory nor keep the event loop
 * from small ones. Only requests that have arrived count, so that a client that sends slowly takes nobody's place.
 */
export function boundLargeBodies(app: FastifyInstance): void {
  let handledBytes = 0;
  const bytesBefore = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    bytesBefore.set(request, request.raw.socket.bytesRead);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    // A body in chunks does not say how long it is. What came on the connection since then is nearly the same.
    const received = request.raw.socket.bytesRead - (bytesBefore.get(request) ?? 0);
    const { 'content-length': length = received } = request.headers;
    const sizeBytes = Number(length);
    if (sizeBytes <= LARGE_BYTES) return done();
    if (handledBytes + sizeBytes > MAX_HANDLED_BYTES) {
      const headers = { 'retry-after': '1' };
      return done(new AppError('OVERLOADED', 'too many large requests are under way', { headers }));
    }
    handledBytes += sizeBytes;
    // Also where the client goes away before the answer.
    reply.raw.once('close', () => {
      handledBytes -= sizeBytes;
    });
    done();
  });
}
