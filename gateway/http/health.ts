import type { FastifyInstance } from 'fastify';

export interface Health {
  /** Whether calls can be served at all. */
  readonly isReady: boolean;
  /** `available`, or why not: paid calls do not need it. */
  readonly trials: string;
}

/** `/health/live`: the process answers. `/health/ready`: it can do its work, and is not stopping. */
export function registerHealth(app: FastifyInstance, readHealth: () => Promise<Health>): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    if (isStopping) return reply.code(503).send({ status: 'stopping' });
    const { isReady, trials } = await readHealth();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable', trials });
  });
}
