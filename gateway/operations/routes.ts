import { channel } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/access.ts';
import { addressOf, clientOf, networkOf } from '../http/client-address.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { valuesOf } from '../http/read-header.ts';
import type { Operation } from './operation/operation.ts';
import { describeRoute } from './operation/route-schema.ts';

export interface OperationRoutesOptions {
  readonly operations: readonly Operation[];
  readonly access: Access;
  readonly limiter: RateLimiter;
  /** Whether new grants and deposits are limited per network of the client. */
  readonly boundsNetworks: boolean;
}

const step = channel('tollhouse:step');

/** One POST route per operation. Access validates the bodies, in its own order, not the framework. */
export function registerOperations(app: FastifyInstance, options: OperationRoutesOptions): void {
  const { access, limiter, boundsNetworks } = options;
  for (const operation of options.operations) {
    const schema = describeRoute(operation);
    app.post(
      operation.path,
      { schema, validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify },
      async (request, reply) => {
        const call = {
          operation,
          search: /\?.*/s.exec(request.raw.url ?? '')?.[0] ?? '',
          body: request.body,
          host: request.headers.host,
          requestId: request.id,
          client: clientOf(addressOf(request)),
          clientNetwork: boundsNetworks ? networkOf(request.ip) : undefined,
          paymentSignature: valuesOf(request.raw, 'payment-signature'),
          paymentV1: valuesOf(request.raw, 'x-payment'),
          signInWithX: valuesOf(request.raw, 'sign-in-with-x'),
        };
        const hasPayment = call.paymentSignature.length + call.paymentV1.length > 0;
        const handle = () => access.handle(call);
        const { status, headers, body, isPaid } = await (hasPayment ? limiter.whileCounted(request, handle) : handle());
        if (isPaid) limiter.giveBack(request);
        // A failed settlement must be reported, even to an address over its limit.
        if (status !== 200 && !('payment-response' in headers)) await limiter.count(request);
        step.publish('reply.before');
        if (step.hasSubscribers) reply.raw.once('finish', () => step.publish('reply.after'));
        return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
      },
    );
  }
}
