import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from '../../services/platform/process/logger.ts';
import { checkRequests } from './check-requests.ts';
import { registerCors } from './cors.ts';
import { registerDrain } from './drain.ts';
import { answerUnrouted, registerErrorAnswers } from './error-answers.ts';
import { createExchanges } from './exchanges.ts';
import { createHttpServer } from './http-server.ts';
import { registerOverload } from './overload.ts';
import { type RateLimiter, registerRateLimit } from './rate-limit.ts';
import { createBodyReader, type ReadBody } from './read-body.ts';
import { createRequestIds } from './request-ids.ts';
import { registerResponseHeaders } from './response-headers.ts';
import type { TrustsAddress } from './trusted-proxies.ts';

export interface HttpOptions {
  /** Whether clients reach us over HTTPS. */
  readonly isHttps: boolean;
  readonly maxConnections: number;
  /** 0: any number. */
  readonly maxConnectionsPerClient: number;
  readonly maxBodyBytesInFlight: number;
  /** How far the event loop may be behind until requests are refused. */
  readonly maxEventLoopDelayMs: number;
  readonly rateLimitPerMinute: number;
  readonly isTrustedProxy: TrustsAddress;
  /** How long the server goes on serving once it is told to stop. 0 by default. */
  readonly stopGraceMs?: number;
  readonly logger: Logger;
  /** Answers a request before the framework sees it. @returns whether it did */
  readonly refuse?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Longest time for a request to arrive. */
  readonly requestTimeoutMs?: number;
  /** Longest time for a client to read an answer. */
  readonly takeAnswerMs?: number;
}

export interface HttpApp {
  readonly app: FastifyInstance;
  readonly limiter: RateLimiter;
  readonly readBody: ReadBody;
}

const REQUEST_TIMEOUT_MS = 30_000;
const TAKE_ANSWER_MS = 60_000;

/** A Fastify application without routes: limits, and every answer in the envelope, also those that Node would give. */
export async function createHttpApp(options: HttpOptions): Promise<HttpApp> {
  const { logger, isTrustedProxy, requestTimeoutMs = REQUEST_TIMEOUT_MS, takeAnswerMs = TAKE_ANSWER_MS } = options;
  const { refuse = () => false, stopGraceMs = 0 } = options;
  const exchanges = createExchanges({ takeAnswerMs });
  const connections = {
    total: options.maxConnections,
    perClient: options.maxConnectionsPerClient,
    isTrustedProxy,
  };
  const onError = (err: Error) => logger.error({ err }, 'HTTP server');
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // A logger for each request would cost more than the request id is worth: our own lines name it themselves.
    childLoggerFactory: (parent) => parent,
    genReqId: createRequestIds(),
    serverFactory: (handler) =>
      createHttpServer(handler, { connections, requestTimeoutMs, exchanges, refuse, onError }),
    clientErrorHandler: exchanges.refuseUnparsed,
    frameworkErrors: answerUnrouted,
    trustProxy: isTrustedProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
  });
  registerDrain(app, exchanges, stopGraceMs);
  registerResponseHeaders(app, options);
  const limiter = registerRateLimit(app, {
    maxPerMinute: options.rateLimitPerMinute,
    monotonicMs: () => performance.now(),
  });
  registerErrorAnswers(app, limiter);
  checkRequests(app);
  await registerCors(app);
  registerOverload(app, options.maxEventLoopDelayMs);
  const readBody = createBodyReader(app, options.maxBodyBytesInFlight);
  return { app, limiter, readBody };
}
