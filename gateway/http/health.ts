import type { FastifyInstance } from 'fastify';
import type { ServicesHealth } from '../clients/service-health.ts';
import type { Readiness } from './admin-server.ts';

export interface Health extends ServicesHealth {
  /** `available`, or why they are not. Paid calls do not need them. */
  readonly trials: string;
  /** `available`, or why new payments are not accepted. */
  readonly payments: string;
}

/**
 * `/health/live`: the process answers. `/health/ready`: it can do its work, and is not stopping.
 * @returns a function that reads what `/health/ready` answers
 */
export function registerHealth(app: FastifyInstance, readHealth: () => Promise<Health>): () => Promise<Readiness> {
  async function readReadiness(): Promise<Readiness> {
    const health = await readHealth();
    const { isReady, trials, payments, services } = health;
    const status = app.isStopping ? 'stopping' : statusOf(health);
    return { status: isReady && !app.isStopping ? 200 : 503, body: { status, trials, payments, services } };
  }
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const { status, body } = await readReadiness();
    return reply.code(status).send(body);
  });
  return readReadiness;
}

function statusOf({ status, trials }: Health): Health['status'] {
  return status === 'ok' && trials !== 'available' ? 'degraded' : status;
}
