import type { FastifyInstance } from 'fastify';
import { REFUND_PATH } from '../access/offer/refund-offer.ts';
import type { RefundAccess } from '../access/refund-access.ts';
import { addressOf, clientOf } from '../http/client-address.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { valuesOf } from '../http/read-header.ts';
import { describeRefund } from './describe-refund.ts';

export interface RefundRouteOptions {
  readonly refundAccess: RefundAccess;
  readonly limiter: RateLimiter;
}

/**
 * The refund of a payment channel. The official client of the scheme sends GET, with its payment in a header. POST does
 * the same. HEAD does not exist: it would refund as well.
 */
export function registerRefund(app: FastifyInstance, { refundAccess, limiter }: RefundRouteOptions): void {
  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: REFUND_PATH,
      exposeHeadRoute: false,
      schema: describeRefund(method),
      validatorCompiler: () => () => true,
      serializerCompiler: () => JSON.stringify,
      handler: async (request, reply) => {
        const { status, headers, body } = await refundAccess.handle({
          host: request.headers.host,
          requestId: request.id,
          client: clientOf(addressOf(request)),
          paymentSignature: valuesOf(request.raw, 'payment-signature'),
        });
        if (status !== 200) await limiter.count(request);
        return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
      },
    });
  }
}
