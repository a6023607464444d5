import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientOf } from '../access/client-address.ts';
import { AppError } from '../errors.ts';

export interface RateLimiter {
  /** Counts an unsigned or failed request. @throws {AppError} RATE_LIMITED when its sender has had too many in a minute. */
  count(request: FastifyRequest): Promise<void>;
}

/** Counts in this process, for the least recently seen addresses are forgotten: a flood costs no memory. */
export async function registerRateLimit(app: FastifyInstance, maxPerMinute: number): Promise<RateLimiter> {
  if (maxPerMinute === 0) return { count: async () => {} };
  await app.register(rateLimit, { global: false, cache: 50_000 });
  // A socket that is closed has no address any more: who goes away before the answer is counted like anyone else.
  const addresses = new WeakMap<FastifyRequest, string>();
  app.addHook('onRequest', (request, _reply, done) => {
    addresses.set(request, request.ip ?? '');
    done();
  });
  const keyGenerator = (request: FastifyRequest) => clientOf(addresses.get(request) ?? '');
  const check = app.createRateLimit({ max: maxPerMinute, timeWindow: 60_000, keyGenerator });
  return {
    async count(request) {
      const limit = await check(request);
      if (limit.isAllowed || !limit.isExceeded) return;
      throw new AppError('RATE_LIMITED', 'too many unsigned or failed requests from your address', {
        headers: { 'retry-after': String(limit.ttlInSeconds) },
      });
    },
  };
}
