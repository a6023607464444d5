import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { AppError } from '../errors.ts';
import type { Metrics } from '../http/metrics.ts';
import { describeEndpoint } from './describe-endpoint.ts';
import type { Endpoint, EndpointCall } from './endpoint.ts';
import { refuseOtherMethods, toUrl } from './other-methods.ts';

const AUTHENTICATE_TIMEOUT_MS = 5000;
const BEARER = /^Bearer +([!-~]{1,256}) *$/i;
const NOBODY: Caller = { tenantId: '', keyId: '', role: 0, scopes: [] };

/** A byte order mark stays: it is for the service to refuse, as over any other way. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface EndpointOptions {
  readonly endpoints: readonly Endpoint[];
  readonly clients: EndpointCall['clients'];
  readonly countVerdict: Metrics['countVerdict'];
}

/** Bodies go to the service as they came: it reads them strictly, over HTTP as elsewhere, and hashes what it read. */
export async function registerEndpoints(app: FastifyInstance, options: EndpointOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      try {
        done(null, decoder.decode(body as Buffer));
      } catch (error) {
        done(new AppError('INVALID_JSON', 'the body is not UTF-8', { cause: error }));
      }
    });
    for (const endpoint of options.endpoints) registerEndpoint(scope, endpoint, options);
    refuseOtherMethods(scope, options.endpoints);
  });
}

function registerEndpoint(app: FastifyInstance, endpoint: Endpoint, { clients, countVerdict }: EndpointOptions): void {
  app.route({
    method: endpoint.method,
    url: toUrl(endpoint.path),
    schema: describeEndpoint(endpoint),
    validatorCompiler: () => () => true,
    serializerCompiler: () => (value) => value,
    handler: async (request, reply) => {
      const requestId = request.id;
      const settings = { requestId, timeoutMs: AUTHENTICATE_TIMEOUT_MS };
      const caller = endpoint.isPublic
        ? NOBODY
        : await clients.verification.authenticate(readBearer(request), settings);
      const answer = await endpoint.call({
        caller,
        params: { ...readQuery(request, endpoint), ...(request.params as Readonly<Record<string, string>>) },
        body: typeof request.body === 'string' && request.body !== '' ? request.body : '{}',
        idempotencyKey: readHeader(request, 'idempotency-key') ?? '',
        wantsJob: /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(readHeader(request, 'prefer') ?? ''),
        clients,
        settings: { requestId, timeoutMs: endpoint.timeoutMs },
      });
      for (const [check, verdict] of Object.entries(answer.verdicts ?? {})) countVerdict(check, verdict);
      return reply
        .code(answer.status ?? endpoint.status)
        .headers({ 'cache-control': 'no-store', ...answer.headers })
        .type(answer.type ?? 'application/json; charset=utf-8')
        .send(answer.body);
    },
  });
}

/** The key of `Authorization: Bearer` (RFC 6750, section 2.1). @throws {AppError} UNAUTHENTICATED */
function readBearer(request: FastifyRequest): string {
  const [, key] = BEARER.exec(readHeader(request, 'authorization') ?? '') ?? [];
  if (key !== undefined) return key;
  throw new AppError('UNAUTHENTICATED', 'send your API key: Authorization: Bearer thk_…', {
    headers: { 'www-authenticate': 'Bearer realm="tollhouse"' },
  });
}

/** Node joins what is sent twice; which one is meant nobody can tell. @throws {AppError} INVALID_REQUEST */
function readHeader({ raw }: FastifyRequest, name: string): string | undefined {
  const values = raw.headersDistinct[name] ?? [];
  if (values.length > 1) throw new AppError('INVALID_REQUEST', `${name} was sent more than once`);
  return values[0];
}

/** @throws {AppError} INVALID_REQUEST */
function readQuery(request: FastifyRequest, { query = {} }: Endpoint): Readonly<Record<string, string>> {
  const sent = request.query as Readonly<Record<string, string | readonly string[]>>;
  return Object.fromEntries(
    Object.keys(query).map((name) => {
      const value = sent[name];
      if (typeof value !== 'string') throw new AppError('INVALID_REQUEST', `${name} is required, once`);
      return [name, value];
    }),
  );
}
