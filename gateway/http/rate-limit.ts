import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { addressOf, clientOf } from './client-address.ts';
import { createFailureWindows } from './failure-windows.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the client when the request came. */
    countedAddress: string;
  }
}

const WINDOW_MS = 60_000;
/** Addresses, and API keys, that are remembered. */
const CAPACITY = 50_000;

export interface RateLimiter {
  /**
   * Counts an unsigned or failed request against the API key that `admit` named, or else against the address. A failure
   * of a key is only counted: the answer stays its own error.
   * @throws {AppError} RATE_LIMITED when the address has had too many in a minute
   */
  count(request: FastifyRequest): Promise<void>;
  /**
   * Counts a request with a payment until it is answered, so that no signature is checked for an address over its limit.
   * @throws {AppError} RATE_LIMITED
   */
  whileCounted<Answer>(request: FastifyRequest, work: () => Promise<Answer>): Promise<Answer>;
  /** Takes back one unsigned request of the address: a client of x402 begins each paid call with one. */
  giveBack(request: FastifyRequest): void;
  /**
   * Names the valid API key of a request, before any work is done for it.
   * @throws {AppError} RATE_LIMITED when requests of this key failed too often in a minute
   */
  admit(request: FastifyRequest, keyId: string): void;
}

export const UNLIMITED: RateLimiter = {
  count: async () => {},
  whileCounted: (_request, work) => work(),
  giveBack: () => {},
  admit: () => {},
};

export interface RateLimitOptions {
  /** 0: no limit. */
  readonly maxPerMinute: number;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
}

/** Counts in this process. The addresses and keys that began first are forgotten: a flood costs no memory. */
export function registerRateLimit(app: FastifyInstance, { maxPerMinute, monotonicMs }: RateLimitOptions): RateLimiter {
  if (maxPerMinute === 0) return UNLIMITED;
  // A closed socket has no address. Remembering it counts clients that go away before the answer.
  app.decorateRequest('countedAddress', '');
  app.addHook('onRequest', (request, _reply, done) => {
    request.countedAddress = addressOf(request);
    done();
  });
  const limit = { max: maxPerMinute, windowMs: WINDOW_MS, capacity: CAPACITY, monotonicMs };
  const addresses = createFailureWindows(limit);
  const keys = createFailureWindows(limit);
  const admitted = new WeakMap<FastifyRequest, string>();
  const giveBack = (request: FastifyRequest) => addresses.takeBack(clientOf(request.countedAddress));
  async function countAddress(request: FastifyRequest): Promise<void> {
    const client = clientOf(request.countedAddress);
    const blockedMs = addresses.blockedMs(client);
    if (blockedMs === undefined) return addresses.add(client);
    throw tooMany('too many unsigned or failed requests from your address', Math.ceil(blockedMs / 1000));
  }
  return {
    async count(request) {
      const keyId = admitted.get(request);
      if (keyId === undefined) await countAddress(request);
      else keys.add(keyId);
    },
    async whileCounted(request, work) {
      await countAddress(request);
      return work().finally(() => giveBack(request));
    },
    giveBack,
    admit(request, keyId) {
      admitted.set(request, keyId);
      const blockedMs = keys.blockedMs(keyId);
      if (blockedMs === undefined) return;
      throw tooMany('too many requests of this API key failed within a minute', Math.ceil(blockedMs / 1000));
    },
  };
}

/**
 * Counts a failed request against its sender.
 * @throws {AppError} RATE_LIMITED, unless the failure tells what became of an admitted call, a payment or a deposit
 */
export async function countFailure(
  limiter: Pick<RateLimiter, 'count'>,
  request: FastifyRequest,
  { statusCode, code, headers }: AppError,
): Promise<void> {
  // Clients can cause a refusal for lack of room, so it counts as their failure.
  if (statusCode >= 500 && code !== 'OVERLOADED') return;
  await limiter.count(request).catch((limited: unknown) => {
    if (!('x-access-mode' in headers || 'payment-response' in headers)) throw limited;
  });
}

function tooMany(message: string, seconds: number): AppError {
  return new AppError('RATE_LIMITED', message, { headers: { 'retry-after': String(seconds) } });
}
