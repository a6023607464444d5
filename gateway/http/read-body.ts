import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_REQUEST_BYTES } from '../../services/shared/size-limits.ts';
import { AppError } from '../errors.ts';
import { overloaded } from './overload.ts';

/** The first bytes of every body are not counted: large bodies, however slow, never keep small requests out. */
const UNCOUNTED_BYTES = 16 * 1024;

/** @throws {AppError} BODY_TOO_LARGE, OVERLOADED; INVALID_REQUEST for a body that ends early */
export type ReadBody = (request: FastifyRequest, payload: Readable) => Promise<Buffer>;

/**
 * Reads bodies, and holds in memory no more than `maxBytesInFlight` of all those that are being received or whose
 * requests are not answered. Bytes count when they arrive: announcing them costs an attacker nothing.
 */
export function createBodyReader(app: FastifyInstance, maxBytesInFlight: number): ReadBody {
  let inFlight = 0;
  /** Gives back what is counted for a request; called once its answer is over. */
  const charges = new WeakMap<FastifyRequest, { bytes: number; isOver: boolean }>();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const charge = { bytes: 0, isOver: false };
    charges.set(request, charge);
    reply.raw.once('close', () => {
      inFlight -= charge.bytes;
      charge.isOver = true;
    });
    done(null, payload);
  });

  return (request, payload) => {
    const charge = charges.get(request);
    if (charge === undefined) throw new Error('the reader belongs to another application');
    const announced = Number(request.headers['content-length'] ?? 0);
    const refusal = () => overloaded('too many request bodies are being received');
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const end = (error: AppError | undefined) => {
        payload.off('data', onData).off('end', onEnd).off('error', onError);
        if (error === undefined) return resolve(Buffer.concat(chunks, size));
        inFlight -= charge.bytes;
        charge.bytes = 0;
        // What still comes is thrown away.
        payload.on('error', () => {}).resume();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_REQUEST_BYTES) return end(tooLarge());
        const due = charge.isOver ? 0 : Math.max(0, size - UNCOUNTED_BYTES) - charge.bytes;
        if (inFlight + due > maxBytesInFlight) return end(refusal());
        inFlight += due;
        charge.bytes += due;
        chunks.push(chunk);
      };
      const onEnd = () => end(undefined);
      const onError = (cause: Error) => end(new AppError('INVALID_REQUEST', 'the body ended early', { cause }));
      if (announced > MAX_REQUEST_BYTES) return end(tooLarge());
      if (announced > UNCOUNTED_BYTES && inFlight + announced > maxBytesInFlight) return end(refusal());
      payload.on('data', onData).on('end', onEnd).on('error', onError);
    });
  };
}

function tooLarge(): AppError {
  return new AppError('BODY_TOO_LARGE', 'the request body is larger than 8 MiB');
}
