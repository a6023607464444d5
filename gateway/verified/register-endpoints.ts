import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_REQUEST_BYTES } from '../../services/platform/grpc/size-limits.ts';
import { AppError } from '../errors/app-error.ts';
import { acceptWeight } from '../http/accept.ts';
import { refuseOtherMethods, toUrl } from '../http/method-not-allowed.ts';
import type { Metrics } from '../http/metrics.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { ReadBody } from '../http/read-body.ts';
import { readHeader } from '../http/read-header.ts';
import { registerTextBody } from '../http/text-body.ts';
import { authenticate, NOBODY } from './caller.ts';
import { describeEndpoint } from './describe-endpoint.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';

export interface EndpointOptions {
  readonly endpoints: readonly Endpoint[];
  readonly clients: EndpointRequest['clients'];
  readonly countVerdict: Metrics['countVerdict'];
  readonly readBody: ReadBody;
  readonly limiter: RateLimiter;
}

/** Registers a route per endpoint. Bodies go to the service as text: it parses them strictly and hashes what it read. */
export async function registerEndpoints(app: FastifyInstance, options: EndpointOptions): Promise<void> {
  const byType = Map.groupBy(options.endpoints, ({ request }) => request?.type);
  for (const [type, endpoints] of byType) {
    await app.register(async (scope) => {
      const maxBytes = Math.max(...endpoints.map(({ request }) => request?.maxBytes ?? MAX_REQUEST_BYTES));
      registerTextBody(scope, options.readBody, { maxBytes, ...(type === undefined ? {} : { type }) });
      for (const endpoint of endpoints) registerEndpoint(scope, endpoint, options);
      if (type === undefined) refuseOtherMethods(scope, options.endpoints);
    });
  }
}

function registerEndpoint(app: FastifyInstance, endpoint: Endpoint, options: EndpointOptions): void {
  const { clients, countVerdict, limiter } = options;
  app.route({
    method: endpoint.method,
    url: toUrl(endpoint.path),
    schema: describeEndpoint(endpoint),
    validatorCompiler: () => () => true,
    serializerCompiler: () => (value) => value,
    handler: async (request, reply) => {
      const requestId = request.id;
      const caller = endpoint.isPublic ? NOBODY : await authenticate(request, clients.verification, limiter);
      const answer = await endpoint.call({
        caller,
        params: { ...readQuery(request, endpoint), ...(request.params as Readonly<Record<string, string>>) },
        body: bodyOf(request, endpoint),
        idempotencyKey: readHeader(request, 'idempotency-key') ?? '',
        wantsJob: /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(readHeader(request, 'prefer') ?? ''),
        wantsMarkdown: acceptWeight(request, 'text/markdown') > acceptWeight(request, 'application/json'),
        clients,
        settings: { requestId, timeoutMs: endpoint.timeoutMs },
      });
      for (const [check, verdict] of Object.entries(answer.verdicts)) countVerdict(check, verdict);
      return reply
        .code(answer.status)
        .headers({ 'cache-control': 'no-store', ...answer.headers })
        .type(answer.type)
        .send(answer.body);
    },
  });
}

/** An empty JSON body has no members. */
function bodyOf({ body }: FastifyRequest, endpoint: Endpoint): string {
  const text = typeof body === 'string' ? body : '';
  return text === '' && endpoint.request?.type === undefined ? '{}' : text;
}

/** @throws {AppError} INVALID_REQUEST, also for an unknown name: a misspelled filter would filter nothing */
function readQuery(request: FastifyRequest, { query = {}, optionalQuery }: Endpoint): Readonly<Record<string, string>> {
  const sent = request.query as Readonly<Record<string, string | readonly string[]>>;
  const known = { ...query, ...optionalQuery };
  const unknown = optionalQuery && Object.keys(sent).some((name) => !Object.hasOwn(known, name));
  if (unknown) throw new AppError('INVALID_REQUEST', `the query may have ${Object.keys(known).join(', ')}`);
  return Object.fromEntries(
    Object.keys(known).flatMap((name) => {
      const value = sent[name];
      if (typeof value === 'string') return [[name, value]];
      if (value === undefined && !Object.hasOwn(query, name)) return [];
      throw new AppError(
        'INVALID_REQUEST',
        `${name} ${Object.hasOwn(query, name) ? 'is required, once' : 'was sent more than once'}`,
      );
    }),
  );
}
