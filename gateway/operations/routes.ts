import { channel } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { networkOf } from '../http/client-address.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Operation } from './operation/operation.ts';
import { describeRoute } from './operation/route-schema.ts';

export interface OperationRoutesOptions {
  readonly operations: readonly Operation[];
  readonly access: Access;
  readonly limiter: RateLimiter;
  /** Whether new grants are bounded by the network that they are asked from. */
  readonly boundsGrants: boolean;
}

const step = channel('tollhouse:step');

/** One POST route an operation. Bodies are judged by access, in its order, not by the framework. */
export function registerOperations(app: FastifyInstance, options: OperationRoutesOptions): void {
  const { access, limiter, boundsGrants } = options;
  for (const operation of options.operations) {
    const schema = describeRoute(operation);
    app.post(
      operation.path,
      { schema, validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify },
      async (request, reply) => {
        const { status, headers, body } = await access.handle({
          operation,
          body: request.body,
          host: request.headers.host,
          requestId: request.id,
          grantScope: boundsGrants ? networkOf(request.ip) : undefined,
          paymentSignature: valuesOf(request, 'payment-signature'),
          paymentV1: valuesOf(request, 'x-payment'),
          signInWithX: valuesOf(request, 'sign-in-with-x'),
        });
        // A settlement that failed has to be said, whatever else came from the address.
        if (status !== 200 && !('payment-response' in headers)) await limiter.count(request);
        step.publish('reply.before');
        if (step.hasSubscribers) reply.raw.once('finish', () => step.publish('reply.after'));
        return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
      },
    );
  }
}

/** Node joins what is sent twice into one value; this tells them apart. */
function valuesOf({ raw, headers }: FastifyRequest, name: string): readonly string[] {
  return headers[name] === undefined ? [] : (raw.headersDistinct[name] ?? []);
}
