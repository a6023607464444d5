import test, { type ExecutionContext } from 'ava';
import fastify from 'fastify';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { registerOverload } from '../../../gateway/http/overload.ts';
import { until } from '../../kit/until.ts';

const BLOCKED_MS = 1100;

/** @returns a function that sends a request and returns its error code, or `ok` */
function createAsk(t: ExecutionContext, maxDelayMs: number): () => Promise<string> {
  const app = fastify();
  registerOverload(app, maxDelayMs);
  app.setErrorHandler((error, _request, reply) => reply.send(error instanceof AppError ? error.code : String(error)));
  app.get('/', async () => 'ok');
  t.teardown(() => app.close());
  return async () => (await app.inject('/')).body;
}

/** Blocks the event loop, and then lets due timers run. */
async function block(): Promise<void> {
  const endMs = performance.now() + BLOCKED_MS;
  while (performance.now() < endMs);
  await new Promise((resolve) => setTimeout(resolve, 0));
}

test.serial('refuses requests once the event loop has been delayed for two seconds', async (t) => {
  const ask = createAsk(t, 100);
  t.is(await ask(), 'ok');
  for (let seconds = 0; seconds < 3; seconds += 1) await block();
  t.is(await ask(), 'OVERLOADED');
  await until(async () => (await ask()) === 'ok');
});

test.serial('a single long pause refuses no request', async (t) => {
  const ask = createAsk(t, BLOCKED_MS / 3);
  await block();
  t.is(await ask(), 'ok');
});
