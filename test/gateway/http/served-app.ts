import type { ExecutionContext } from 'ava';
import { createHttpApp, type HttpApp, type HttpOptions } from '../../../gateway/http/http-app.ts';
import { registerJsonBody } from '../../../gateway/http/json-body.ts';
import { refuseOtherMethods } from '../../../gateway/http/method-not-allowed.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { portOf } from '../../kit/port-of.ts';

export const HOST = 'Host: localhost\r\n';
const BIG_ANSWER = 'x'.repeat(64 * 1024 * 1024);
export const MIB = 1024 * 1024;

/**
 * Starts a gateway with test routes in place of the product's routes, on its own port. It closes with the test.
 * @param register adds further routes
 */
export async function serve(
  t: ExecutionContext,
  options: Partial<HttpOptions> = {},
  register: (http: HttpApp) => void = () => {},
) {
  const http = await createHttpApp({
    isHttps: false,
    maxConnections: 100,
    maxConnectionsPerClient: 0,
    maxBodyBytesInFlight: 64 * MIB,
    rateLimitPerMinute: 0,
    // A busy machine must not make tests fail.
    maxEventLoopDelayMs: Infinity,
    isTrustedProxy: () => false,
    logger: createLogger({ name: 'test', level: 'silent' }),
    ...options,
  });
  const { app, readBody } = http;
  register(http);
  registerJsonBody(app, readBody);
  const released = Promise.withResolvers<void>();
  app.get('/', async () => 'here');
  app.post('/held', async () => released.promise.then(() => 'late'));
  app.get('/slow', async () => released.promise.then(() => 'late'));
  app.get('/big', async () => BIG_ANSWER);
  app.get('/items/:id', async () => 'here');
  app.post('/plans/:id/checks', async () => 'here');
  refuseOtherMethods(app, [{ method: 'POST', path: '/plans/{id}/checks' }]);
  app.post('/', async ({ body }) => `${JSON.stringify(body ?? '').length}`);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const port = portOf(app.server);
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    await response.text();
    return response.status;
  };
  return { app, port, ask, release: released.resolve };
}

/** A POST request without the last byte of its body. */
export const unfinished = (bytes: number, extra = '') =>
  Buffer.concat([
    Buffer.from(`POST / HTTP/1.1\r\n${HOST}${extra}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`),
    Buffer.alloc(bytes - 1, 0x20),
  ]);

export function countConnections(server: {
  getConnections(done: (error: Error | null, count: number) => void): unknown;
}) {
  return new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
}
