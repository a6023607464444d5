import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import fastify from 'fastify';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { registerRateLimit } from '../../../gateway/http/rate-limit.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { registerOperations } from '../../../gateway/operations/routes.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { portOf } from '../../kit/port-of.ts';

test('counts clients that disconnect before the answer', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  const limiter = registerRateLimit(app, { maxPerMinute: 1, monotonicMs: () => performance.now() });
  const gone = Promise.withResolvers<void>();
  app.get('/left', async (request) => {
    const closed = once(request.raw.socket, 'close');
    client.destroy();
    await closed;
    limiter.count(request).then(gone.resolve, gone.reject);
  });
  app.get('/', (request) => limiter.count(request));
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError ? error.statusCode : 500).send(),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = portOf(app.server);
  const client = connect(port, '127.0.0.1', () => client.write('GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n'));
  await gone.promise;
  const { status } = await fetch(`http://127.0.0.1:${port}/`);
  t.is(status, 429);
});

test('an address pays for any number of calls that begin with an unsigned one, and a repeated answer gives nothing back', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  // What injects requests does not make them.
  app.addHook('onRequest', async ({ raw }) => {
    const headersDistinct = Object.fromEntries(Object.entries(raw.headers).map(([name, value]) => [name, [value]]));
    Object.assign(raw, { headersDistinct });
  });
  const limiter = registerRateLimit(app, { maxPerMinute: 600, monotonicMs: () => 0 });
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError ? error.statusCode : 500).send(),
  );
  const replies = {
    unsigned: { status: 402, headers: {}, body: '{}' },
    paid: { status: 200, headers: {}, body: '{}', isPaid: true },
    repeated: { status: 200, headers: {}, body: '{}' },
    failed: { status: 402, headers: { 'payment-response': 'e30=' }, body: '{}' },
  };
  let reply: keyof typeof replies = 'unsigned';
  let handled = 0;
  const access = {
    handle: async () => {
      handled += 1;
      return replies[reply];
    },
  };
  registerOperations(app, { operations, access, limiter, boundsNetworks: false });
  const send = async (kind: keyof typeof replies) => {
    reply = kind;
    const headers = kind === 'unsigned' ? {} : { 'payment-signature': 'e30=' };
    const { statusCode } = await app.inject({ method: 'POST', url: defined(operations[0]).path, headers });
    return statusCode;
  };
  for (let call = 0; call < 1200; call += 1) {
    t.is(await send('unsigned'), 402);
    t.is(await send('paid'), 200);
  }
  // What is not owed is not kept.
  for (let call = 0; call < 600; call += 1) {
    t.is(await send('unsigned'), 402);
    await send(call % 2 === 0 ? 'repeated' : 'failed');
  }
  t.is(await send('unsigned'), 429);
  const before = handled;
  t.is(await send('paid'), 429);
  t.is(handled, before, 'no signature is checked');
});

test('of requests that are counted at the same time, as many as the limit are admitted', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  const limiter = registerRateLimit(app, { maxPerMinute: 2, monotonicMs: () => performance.now() });
  const arrived = Promise.withResolvers<void>();
  let waiting = 0;
  app.get('/', async (request) => {
    waiting += 1;
    if (waiting === 5) arrived.resolve();
    await arrived.promise;
    await limiter.count(request);
  });
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError ? error.statusCode : 500).send(),
  );
  const replies = await Promise.all(Array.from({ length: 5 }, () => app.inject('/')));
  t.deepEqual(replies.map(({ statusCode }) => statusCode).toSorted(), [200, 200, 429, 429, 429]);
});
