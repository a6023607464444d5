import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isRecord } from '../../services/platform/is-record.ts';
import type { JsonRules } from '../../workers/exact/strict-json.ts';
import type { AppError } from '../errors/app-error.ts';
import { toRpcError } from '../errors/rpc-error.ts';
import { checkOrigin } from '../http/check-origin.ts';
import { createErrorAnswer } from '../http/error-answers.ts';
import { createFailureLog, type FailureLog } from '../http/failure-log.ts';
import { refuseOtherMethods } from '../http/method-not-allowed.ts';
import { countFailure, type RateLimiter } from '../http/rate-limit.ts';
import type { ReadBody } from '../http/read-body.ts';
import { readHeader } from '../http/read-header.ts';
import { registerTextBody } from '../http/text-body.ts';
import { readMessage } from './read-message.ts';
import type { Tool } from './tool.ts';
import type { ToolSet } from './tool-server.ts';

/** Headers of the protocol. The SDK checks them against the message. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** An endpoint of the Model Context Protocol: tools over streamable HTTP, without sessions or streams. */
export interface McpEndpoint<Context> extends ToolSet<Context> {
  readonly path: `/${string}`;
  /** For the OpenAPI document. */
  readonly schema: object;
  /** Rules for parsing arguments. */
  readonly rules: JsonRules;
  /** Identifies the caller and admits the call. `tool` is undefined unless the message calls a tool. @throws {AppError} */
  readonly admit: (request: FastifyRequest, tool: Tool<Context> | undefined) => Promise<Context>;
}

export interface McpOptions {
  readonly publicUrls: readonly URL[];
  readonly limiter: RateLimiter;
  readonly readBody: ReadBody;
}

export async function registerMcp<Context>(
  app: FastifyInstance,
  endpoint: McpEndpoint<Context>,
  { publicUrls, limiter, readBody }: McpOptions,
): Promise<void> {
  await app.register(async (scope) => {
    registerTextBody(scope, readBody);
    const logFailure = createFailureLog(scope.log, 'tool request failed');
    scope.setErrorHandler(createErrorAnswer({ limiter, logFailure }, toRpcError));
    // Many clients are configured with a slash at the end.
    const paths = [endpoint.path, `${endpoint.path}/`];
    for (const path of paths) {
      scope.route({
        method: 'POST',
        url: path,
        schema: path === endpoint.path ? endpoint.schema : { hide: true },
        validatorCompiler: () => () => true,
        serializerCompiler: () => (value) => value,
        onRequest: async (request) => checkOrigin(request, publicUrls),
        handler: async (request, reply) => {
          const { response, failure } = await answer(request, endpoint, logFailure);
          if (failure !== undefined) await countFailure(limiter, request, failure);
          else if (response.status >= 400) await limiter.count(request);
          if (response.body === null) return reply.code(response.status).send();
          return reply
            .code(response.status)
            .type('application/json; charset=utf-8')
            .send(await response.text());
        },
      });
    }
    refuseOtherMethods(
      scope,
      paths.map((path) => ({ method: 'POST', path })),
    );
  });
}

interface Answered {
  readonly response: Response;
  /** The failure of a tool, which the response reports as a result. */
  readonly failure: AppError | undefined;
}

async function answer<Context>(
  request: FastifyRequest,
  endpoint: McpEndpoint<Context>,
  logFailure: FailureLog,
): Promise<Answered> {
  const { message, fault } = readMessage(request.body, endpoint.rules);
  const context = await endpoint.admit(request, calledTool(message, endpoint));
  let failure: AppError | undefined;
  const onFailure = (error: AppError) => {
    failure = error;
    if (error.statusCode >= 500) logFailure(error, request);
  };
  const exchange = { context, requestId: request.id, fault, onFailure };
  // The SDK takes a quarter of a second to load, so it is loaded with the first message.
  const { serve } = await import('./serve.ts');
  const response = await serve({ request: toWebRequest(request), message, set: endpoint, exchange });
  return { response, failure };
}

/** The tool that a message calls. A message without an id is a notification, which calls nothing. */
function calledTool<Context>(message: Readonly<Record<string, unknown>>, { tools }: ToolSet<Context>) {
  if (message['method'] !== 'tools/call' || message['id'] === undefined) return undefined;
  const params = message['params'];
  const name = isRecord(params) ? params['name'] : undefined;
  return tools.find((tool) => tool.name === name);
}

/** Every client gets JSON. The SDK would refuse a client that does not also accept streams. */
function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const name of PROTOCOL_HEADERS) {
    const value = readHeader(request, name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request('http://localhost/', { method: 'POST', headers });
}
