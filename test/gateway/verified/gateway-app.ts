import { createVerifiedClients } from '../../../gateway/clients/verified-clients.ts';
import { createHttpApp } from '../../../gateway/http/http-app.ts';
import { registerJsonBody } from '../../../gateway/http/json-body.ts';
import { registerMcp } from '../../../gateway/mcp/register-mcp.ts';
import { createVerifiedMcp } from '../../../gateway/mcp/verified/verified-mcp.ts';
import { endpoints } from '../../../gateway/verified/index.ts';
import { registerEndpoints } from '../../../gateway/verified/register-endpoints.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';

export interface GatewayApp {
  readonly origin: string;
  close(): Promise<void>;
}

export interface GatewayAppOptions {
  /** The gRPC target of the verification service. There is no back office. */
  readonly target: string;
  readonly rateLimitPerMinute: number;
}

/** Starts a gateway in this process that only serves verified execution. */
export async function startGatewayApp({ target, rateLimitPerMinute }: GatewayAppOptions): Promise<GatewayApp> {
  const { app, limiter, readBody } = await createHttpApp({
    isHttps: false,
    maxConnections: 1000,
    maxConnectionsPerClient: 0,
    maxBodyBytesInFlight: 64 * 1024 * 1024,
    maxEventLoopDelayMs: 60_000,
    rateLimitPerMinute,
    isTrustedProxy: () => true,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const { clients, close } = createVerifiedClients({ verification: target, jobs: 'unix:/nowhere/backoffice.sock' });
  const publicUrls: URL[] = [];
  const common = { countVerdict: () => {}, limiter, readBody };
  registerJsonBody(app, readBody);
  await registerEndpoints(app, { ...common, endpoints, clients });
  await registerMcp(app, createVerifiedMcp({ ...common, clients }), {
    publicUrls,
    limiter,
    readBody,
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  publicUrls.push(new URL(origin));
  return {
    origin,
    async close() {
      await app.close();
      close();
    },
  };
}
