import test from 'ava';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { registerErrorAnswers } from '../../../gateway/http/error-answers.ts';
import { keepLog } from '../../helpers/keep-log.ts';

test('an answer of 5xx is logged with its request, and its repetitions are not logged one by one', async (t) => {
  const { logger, text } = keepLog();
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  t.teardown(() => app.close());
  registerErrorAnswers(app, { count: async () => {}, admit: () => {} });
  const fail = (error: Error) => () => Promise.reject(error);
  app.get('/full', fail(new AppError('OVERLOADED', 'too many request bodies are being received')));
  app.get('/away', fail(new AppError('SERVICE_UNAVAILABLE', 'not now', { cause: new Error('no connection') })));
  app.get('/bug', async () => {
    throw new TypeError('Cannot read properties of undefined');
  });
  app.get('/other-bug', async ({ query }) => {
    if ('deep' in (query as object)) throw new TypeError('Cannot read properties of null');
    throw new TypeError('Cannot read properties of undefined');
  });
  app.get('/refused', fail(new AppError('INVALID_REQUEST', 'no')));
  const paths = ['/full', '/away', '/bug', '/other-bug', '/other-bug?deep', '/refused'];
  for (let round = 0; round < 50; round += 1) for (const path of paths) await app.inject(path);
  const lines = text()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly code: string; readonly route: string; readonly requestId: string });
  t.deepEqual(
    lines.map(({ code, route }) => [code, route]),
    [
      ['OVERLOADED', '/full'],
      ['SERVICE_UNAVAILABLE', '/away'],
      ['INTERNAL', '/bug'],
      ['INTERNAL', '/other-bug'],
      ['INTERNAL', '/other-bug'],
    ],
  );
  for (const { requestId } of lines) t.truthy(requestId);
});
