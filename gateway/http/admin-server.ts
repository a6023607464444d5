import { existsSync, rmSync } from 'node:fs';
import fastify, { type FastifyInstance } from 'fastify';
import { isListeningOn, readListenAddress } from '../../services/platform/process/listen-address.ts';
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

/**
 * Listens where the text says: `host:port`, or `unix:path`. A socket that a killed process left is replaced.
 * @param text as `listenAddress` accepts it
 */
export async function listenAt(app: FastifyInstance, text: string): Promise<void> {
  const address = readListenAddress(text);
  const isLeft = 'path' in address && existsSync(address.path) && !(await isListeningOn(address));
  if (isLeft) rmSync(address.path, { force: true });
  await app.listen(address);
}
