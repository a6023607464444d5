import fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { registerErrorAnswers } from '../../../gateway/http/error-answers.ts';
import { registerJsonBody } from '../../../gateway/http/json-body.ts';
import { UNLIMITED } from '../../../gateway/http/rate-limit.ts';
import { createBodyReader } from '../../../gateway/http/read-body.ts';
import { registerResponseHeaders } from '../../../gateway/http/response-headers.ts';
import { type McpEndpoint, registerMcp } from '../../../gateway/mcp/register-mcp.ts';
import { freePort } from '../../../scripts/launch/servers/free-port.ts';

export interface ToolApp {
  readonly url: string;
  /** The number of requests that counted against their sender. */
  readonly counted: () => number;
  /** Refuses senders of requests that count, or no longer. */
  readonly limit: (isReached: boolean) => void;
  close(): Promise<void>;
}

/** Starts a gateway in this process that only serves a tool endpoint. */
export async function startToolApp<Context>(endpoint: McpEndpoint<Context>): Promise<ToolApp> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let counted = 0;
  let isLimited = false;
  const limiter = {
    ...UNLIMITED,
    count: async () => {
      counted += 1;
      if (isLimited) throw new AppError('RATE_LIMITED', 'a test');
    },
  };
  const app = fastify({ genReqId: () => uuidv7() });
  registerResponseHeaders(app, { isHttps: false });
  registerErrorAnswers(app, limiter);
  const readBody = createBodyReader(app, 64 * 1024 * 1024);
  registerJsonBody(app, readBody);
  await registerMcp(app, endpoint, { publicUrls: [new URL(origin)], limiter, readBody });
  await app.listen({ port, host: '127.0.0.1' });
  return {
    url: `${origin}${endpoint.path}`,
    counted: () => counted,
    limit(isReached) {
      isLimited = isReached;
    },
    close: () => app.close(),
  };
}
