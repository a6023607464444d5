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

/** @throws {AppError} BODY_TOO_LARGE, OVERLOADED; INVALID_REQUEST for a body that ends early */
export type ReadBody = (request: FastifyRequest, payload: Readable) => Promise<Buffer>;

/** The bytes of the budget that a request holds until its answer ends. */
interface Charge {
  readonly client: string;
  bytes: number;
  isOver: boolean;
}

/**
 * Reads bodies into at most `maxBytesInFlight` bytes of memory, and half of that for one client. A body counts while it
 * is received and until its request is answered. Bytes count when they arrive: announcing them costs an attacker nothing.
 */
export function createBodyReader(app: FastifyInstance, maxBytesInFlight: number): ReadBody {
  const budget = createByteBudget(maxBytesInFlight);
  const charges = new WeakMap<FastifyRequest, Charge>();
  const giveBack = (charge: Charge) => {
    budget.take(charge.client, -charge.bytes);
    charge.bytes = 0;
  };
  app.addHook('preParsing', (request, reply, payload, done) => {
    const charge = { client: clientOf(addressOf(request)), bytes: 0, isOver: false };
    charges.set(request, charge);
    reply.raw.once('close', () => {
      giveBack(charge);
      charge.isOver = true;
    });
    done(null, payload);
  });

  return (request, payload) => {
    const charge = charges.get(request);
    if (charge === undefined) throw new Error('the reader belongs to another application');
    // Absent from a body in chunks.
    const announced = Number(request.headers['content-length'] ?? 0);
    const refusal = () => overloaded('too many request bodies are being received');
    return new Promise((resolve, reject) => {
      const body = createGrowingBuffer(Math.min(announced, MAX_REQUEST_BYTES));
      let size = 0;
      const end = (error: AppError | undefined) => {
        payload.off('data', onData).off('end', onEnd).off('error', onError);
        if (error === undefined) return resolve(body.bytes());
        giveBack(charge);
        // The rest of the body is discarded.
        payload.on('error', () => {}).resume();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_REQUEST_BYTES) return end(tooLarge());
        const due = charge.isOver ? 0 : Math.max(0, size - UNCOUNTED_BYTES) - charge.bytes;
        if (!budget.hasRoom(charge.client, due)) return end(refusal());
        budget.take(charge.client, due);
        charge.bytes += due;
        body.append(chunk);
      };
      const onEnd = () => end(undefined);
      const onError = (cause: Error) => end(new AppError('INVALID_REQUEST', 'the body ended early', { cause }));
      if (announced > MAX_REQUEST_BYTES) return end(tooLarge());
      if (announced > UNCOUNTED_BYTES && !budget.hasRoom(charge.client, announced)) return end(refusal());
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

function tooLarge(): AppError {
  return new AppError('BODY_TOO_LARGE', 'the request body is larger than 8 MiB');
}
