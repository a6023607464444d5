import type { FastifyInstance } from 'fastify';
import type { ServicesHealth } from '../clients/service-health.ts';

export interface Health extends ServicesHealth {
  /** `available`, or why they are not. Paid calls do not need them. */
  readonly trials: string;
  /** `available`, or why new payments are not accepted. */
  readonly payments: string;
}

/** `/health/live`: the process answers. `/health/ready`: it can do its work, and is not stopping. */
export function registerHealth(app: FastifyInstance, readHealth: () => Promise<Health>): void {
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const health = await readHealth();
    const { isReady, trials, payments, services } = health;
    const code = isReady && !app.isStopping ? 200 : 503;
    return reply
      .code(code)
      .send({ status: app.isStopping ? 'stopping' : statusOf(health), trials, payments, services });
  });
}

function statusOf({ status, trials }: Health): Health['status'] {
  return status === 'ok' && trials !== 'available' ? 'degraded' : status;
}
