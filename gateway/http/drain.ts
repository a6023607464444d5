import type { FastifyInstance } from 'fastify';
import type { Exchanges } from './exchanges.ts';

/**
 * Once the gateway stops, every answer ends its connection, and connections without a due answer are closed. The server
 * closes after the last connection.
 */
export function registerDrain(app: FastifyInstance, exchanges: Pick<Exchanges, 'drain' | 'isDraining'>): void {
  app.addHook('preClose', async () => {
    exchanges.drain();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (exchanges.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
}
