import { existsSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { MetricsText } from './metrics.ts';

/** What an operator's programs ask a process. */
export interface AdminAnswers {
  readonly readMetrics: () => Promise<MetricsText>;
  readonly readReadiness: () => Promise<Readiness>;
}

export interface Readiness {
  readonly status: 200 | 503;
  readonly body: object;
}

/** `/live`, `/ready` and `/metrics` (text format of Prometheus), for an address that clients of the API do not reach. */
export function createAdminServer({ readMetrics, readReadiness }: AdminAnswers): FastifyInstance {
  const app = fastify();
  app.get('/live', async () => ({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const { status, body } = await readReadiness();
    return reply.code(status).send(body);
  });
  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await readMetrics();
    return reply.type(type).send(text);
  });
  return app;
}

const HOST_AND_PORT = /^(.+):(\d+)$/;

/**
 * Listens where the text says: `host:port`, or `unix:path`. A socket that a killed process left is replaced.
 * @param text as `listenAddress` accepts it
 */
export async function listenAt(app: FastifyInstance, text: string): Promise<void> {
  const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/.exec(text) ?? [];
  if (path === undefined) {
    const [, host = '', port] = HOST_AND_PORT.exec(text) ?? [];
    await app.listen({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) });
    return;
  }
  if (existsSync(path) && !(await isServed(path))) rmSync(path, { force: true });
  await app.listen({ path });
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
  });
}
