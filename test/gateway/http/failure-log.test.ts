import test from 'ava';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { registerErrorAnswers } from '../../../gateway/http/error-answers.ts';
import { UNLIMITED } from '../../../gateway/http/rate-limit.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { isRecord } from '../../../services/platform/is-record.ts';
import { keepLog } from '../../kit/keep-log.ts';

const parseLine = createJsonReader(
  Type.Object({ code: Type.String(), route: Type.String(), requestId: Type.String() }),
  'a line of the log',
);

test('logs a 5xx answer with its request, but does not log each repetition', async (t) => {
  const { logger, text } = keepLog();
  const loggerInstance: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
  });
  t.teardown(() => app.close());
  registerErrorAnswers(app, UNLIMITED);
  const fail = (error: Error) => () => Promise.reject(error);
  app.get('/full', fail(new AppError('OVERLOADED', 'too many request bodies are being received')));
  app.get('/away', fail(new AppError('SERVICE_UNAVAILABLE', 'not now', { cause: new Error('no connection') })));
  app.get('/bug', async () => {
    throw new TypeError('Cannot read properties of undefined');
  });
  app.get('/other-bug', async ({ query }) => {
    if (isRecord(query) && 'deep' in query) throw new TypeError('Cannot read properties of null');
    throw new TypeError('Cannot read properties of undefined');
  });
  app.get('/refused', fail(new AppError('INVALID_REQUEST', 'no')));
  const paths = ['/full', '/away', '/bug', '/other-bug', '/other-bug?deep', '/refused'];
  for (let round = 0; round < 50; round += 1) for (const path of paths) await app.inject(path);
  const lines = text()
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
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
