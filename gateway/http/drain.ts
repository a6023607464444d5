import type { FastifyInstance } from 'fastify';
import type { Exchanges } from './exchanges.ts';

/**
 * Once the gateway is told to stop, every answer ends its connection, and connections without one are closed: the server
 * closes when the last connection is gone.
 */
export function registerDrain(app: FastifyInstance, exchanges: Pick<Exchanges, 'drain'>): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
    exchanges.drain();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}
