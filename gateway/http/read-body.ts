import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_REQUEST_BYTES } from '../../services/platform/grpc/size-limits.ts';
import { AppError } from '../errors/app-error.ts';
import { createByteBudget } from './byte-budget.ts';
import { addressOf, clientOf } from './client-address.ts';
import { overloaded } from './overload.ts';

/** The first bytes of every body are not counted, so that large bodies never keep small requests out. */
const UNCOUNTED_BYTES = 16 * 1024;
const FIRST_BYTES = 1024;
const MIB = 1024 * 1024;

/** @throws {AppError} BODY_TOO_LARGE, OVERLOADED; INVALID_REQUEST for a body that ends early */
export type ReadBody = (request: FastifyRequest, payload: Readable, maxBytes?: number) => Promise<Buffer>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer to this request, for as long as it may charge the budget for bodies. */
    bodyHolder: ServerResponse | null;
  }
}

/** The bytes of the budget that a request holds until its answer ends. */
interface Charge {
  readonly client: string;
  bytes: number;
}

/**
 * Reads bodies into at most `maxBytesInFlight` bytes of memory, and half of that for one client. A body counts while it
 * is received and until its request is answered. Bytes count when they arrive: announcing them costs an attacker nothing.
 */
export function createBodyReader(app: FastifyInstance, maxBytesInFlight: number): ReadBody {
  const budget = createByteBudget(maxBytesInFlight);
  const giveBack = (charge: Charge) => {
    budget.take(charge.client, -charge.bytes);
    charge.bytes = 0;
  };
  app.decorateRequest('bodyHolder', null);
  app.addHook('preParsing', (request, reply, payload, done) => {
    request.bodyHolder = reply.raw;
    done(null, payload);
  });

  return (request, payload, maxBytes = MAX_REQUEST_BYTES) => {
    const { bodyHolder: holder } = request;
    if (holder === null) throw new Error('the reader belongs to another application');
    const client = clientOf(addressOf(request));
    // Most bodies are small and are never charged.
    let charge: Charge | undefined;
    const newCharge = (): Charge => {
      const made = { client, bytes: 0 };
      holder.once('close', () => giveBack(made));
      return made;
    };
    /** Takes what the body needs in all. @returns whether there was room */
    const take = (bytes: number): boolean => {
      if (bytes <= 0 || holder.closed) return true;
      charge ??= newCharge();
      const due = bytes - charge.bytes;
      if (!budget.hasRoom(client, due)) return false;
      budget.take(client, due);
      charge.bytes = bytes;
      return true;
    };
    // Absent from a body in chunks.
    const announced = Number(request.headers['content-length'] ?? 0);
    const refusal = () => overloaded('too many request bodies are being received');
    return new Promise((resolve, reject) => {
      const body = createGrowingBuffer(Math.min(announced, maxBytes));
      let size = 0;
      const end = (error: AppError | undefined) => {
        payload.off('data', onData).off('end', onEnd).off('error', onError);
        if (error === undefined) return resolve(body.bytes());
        if (charge !== undefined) giveBack(charge);
        // The rest of the body is discarded.
        payload.on('error', () => {}).resume();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) return end(tooLarge(maxBytes));
        if (!take(size - UNCOUNTED_BYTES)) return end(refusal());
        body.append(chunk);
      };
      const onEnd = () => end(undefined);
      const onError = (cause: Error) => end(new AppError('INVALID_REQUEST', 'the body ended early', { cause }));
      if (announced > maxBytes) return end(tooLarge(maxBytes));
      if (announced > UNCOUNTED_BYTES && !budget.hasRoom(client, announced)) return end(refusal());
      payload.on('data', onData).on('end', onEnd).on('error', onError);
    });
  };
}

/** Copies chunks: a chunk may have one byte and still keep hundreds of bytes alive. */
function createGrowingBuffer(expectedBytes: number) {
  let buffer = Buffer.allocUnsafe(Math.max(FIRST_BYTES, Math.min(expectedBytes, UNCOUNTED_BYTES)));
  let size = 0;
  return {
    append(chunk: Buffer) {
      if (size + chunk.length > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, size + chunk.length));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      chunk.copy(buffer, size);
      size += chunk.length;
    },
    bytes: () => buffer.subarray(0, size),
  };
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('BODY_TOO_LARGE', `the request body is larger than ${maxBytes / MIB} MiB`);
}
