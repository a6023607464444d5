import type { FastifyInstance } from 'fastify';
import type { Exchanges } from './exchanges.ts';

/**
 * Once the gateway stops, every answer ends its connection. After `graceMs`, connections without a due answer are closed
 * and no others are accepted. The server closes after the last connection.
 * @returns whether the gateway stops
 */
export function registerDrain(
  app: FastifyInstance,
  exchanges: Pick<Exchanges, 'drain' | 'isDraining'>,
  graceMs: number,
): () => boolean {
  app.addHook('preClose', () => exchanges.drain(graceMs));
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (exchanges.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  return exchanges.isDraining;
}
