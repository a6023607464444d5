import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Exchanges } from './exchanges.ts';

declare module 'fastify' {
  interface FastifyInstance {
    isStopping: boolean;
    /**
     * Closes the application without a failed request of a proxy: it serves on as before for the time of grace, in which
     * proxies see at /health/ready that it stops, or go on with the connections that they have. Nobody should open a
     * connection at the moment when the server closes, because the system resets those that are not accepted yet.
     */
    stop(): Promise<void>;
  }
}

/**
 * Once the application closes, every answer ends its connection. Idle connections are closed after `graceMs`. The server
 * closes after the last connection.
 */
export function registerDrain(
  app: FastifyInstance,
  exchanges: Pick<Exchanges, 'drain' | 'isDraining'>,
  graceMs: number,
): void {
  app.decorate('isStopping', false);
  app.decorate('stop', async () => {
    app.isStopping = true;
    if (graceMs > 0) await delay(graceMs);
    await app.close();
  });
  app.addHook('preClose', () => exchanges.drain(graceMs));
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (exchanges.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
}
