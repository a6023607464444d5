import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../services/shared/logger.ts';
import { MAX_REQUEST_BYTES } from '../services/shared/size-limits.ts';
import type { Access } from './access/access.ts';
import type { ToolAccess } from './access/tool-access.ts';
import type { PaymentsClient } from './clients/payments-client.ts';
import type { Contact } from './config.ts';
import { AppError } from './errors.ts';
import { registerDrain } from './http/drain.ts';
import { answerUnparsed, answerUnrouted, registerErrorAnswers } from './http/error-answers.ts';
import { type Health, registerHealth } from './http/health.ts';
import { registerJsonBody } from './http/json-body.ts';
import { boundLargeBodies } from './http/large-bodies.ts';
import { registerMetrics } from './http/metrics.ts';
import { registerRateLimit } from './http/rate-limit.ts';
import { registerResponseHeaders } from './http/response-headers.ts';
import { createPaidMcp } from './mcp/paid/paid-mcp.ts';
import { registerMcp } from './mcp/register-mcp.ts';
import { createVerifiedMcp } from './mcp/verified/verified-mcp.ts';
import type { Operation } from './operations/operation.ts';
import { registerOperations } from './operations/routes.ts';
import { registerOpenApi } from './pages/openapi.ts';
import { registerPages } from './pages/pages.ts';
import { registerSandbox } from './sandbox.ts';
import type { Endpoint, EndpointCall } from './verified/endpoint.ts';
import { registerEndpoints } from './verified/register-endpoints.ts';

export interface AppDeps {
  readonly operations: readonly Operation[];
  /** Of verified execution. */
  readonly verified: { readonly endpoints: readonly Endpoint[]; readonly clients: EndpointCall['clients'] };
  readonly access: Access;
  readonly toolAccess: ToolAccess;
  readonly payments: PaymentsClient;
  readonly readHealth: () => Promise<Health>;
  /** Seconds that the clock of this machine is ahead of those of the servers. */
  readonly readClockSkews: () => ReadonlyMap<string, number>;
  /** Origins that clients use; the first is the one of the documents. */
  readonly publicUrls: readonly [URL, ...URL[]];
  readonly contact: Contact;
  readonly isSandbox: boolean;
  readonly boundsGrants: boolean;
  readonly rateLimitPerMinute: number;
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
}

const MAX_HEADER_BYTES = 32 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_EVENT_LOOP_DELAY_MS = 1000;

/** The HTTP application. Does no IO of its own until it listens. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { publicUrls } = deps;
  const [origin] = publicUrls;
  const app = fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => uuidv7(),
    bodyLimit: MAX_REQUEST_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node enforces neither time-out while the one for headers is the longer.
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 2000 },
    frameworkErrors: answerUnrouted,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    clientErrorHandler: answerUnparsed,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
  });
  registerDrain(app);
  await registerResponseHeaders(app, { isHttps: origin.protocol === 'https:' });
  const limiter = await registerRateLimit(app, deps.rateLimitPerMinute);
  registerErrorAnswers(app, limiter);
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: () => {
      throw new AppError('OVERLOADED', 'too many requests are under way', { headers: { 'retry-after': '1' } });
    },
  });
  boundLargeBodies(app);
  registerJsonBody(app);
  const { countVerdict, countPaid } = registerMetrics(app, deps.readClockSkews);
  registerHealth(app, deps.readHealth);
  await registerOpenApi(app, { origin, contact: deps.contact });
  registerOperations(app, { ...deps, limiter });
  await registerEndpoints(app, { ...deps.verified, countVerdict });
  const paid = createPaidMcp({ operations: deps.operations, access: deps.toolAccess, countPaid, limiter });
  const verified = createVerifiedMcp({ clients: deps.verified.clients, countVerdict, limiter });
  await registerMcp(app, paid, { publicUrls, limiter });
  await registerMcp(app, verified, { publicUrls, limiter });
  registerPages(app, { ...deps, origin, toolEndpoints: [paid, verified] });
  if (deps.isSandbox) registerSandbox(app, deps.payments);
  return app;
}
