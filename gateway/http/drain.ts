import type { FastifyInstance } from 'fastify';

/**
 * Once the gateway is told to stop, every answer ends its connection: the server closes when the last one is gone, and
 * a client that keeps it alive would hold it open for more than a minute.
 */
export function registerDrain(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}
