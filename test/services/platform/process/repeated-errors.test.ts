import test from 'ava';
import { Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { createRepeatedErrorLog } from '../../../../services/platform/process/repeated-errors.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { until } from '../../../kit/until.ts';

const readLine = createJsonReader(
  Type.Object({
    msg: Type.String(),
    suppressed: Type.Optional(Type.Number()),
    errors: Type.Optional(Type.Number()),
    err: Type.Optional(Type.Object({ message: Type.String() })),
  }),
  'a line of the log',
);

function startLog(everyMs: number) {
  const { logger, text } = keepLog();
  const logError = createRepeatedErrorLog({ logger, message: 'it failed', everyMs });
  const lines = () =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map(readLine);
  return { logError, lines };
}

test('logs the first error of a kind at once, and not its repetitions', (t) => {
  const { logError, lines } = startLog(60_000);
  for (let count = 0; count < 1000; count += 1) logError(new Error(`OOM command not allowed ${count}`));
  logError(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  t.deepEqual(
    lines().map(({ msg, err }) => [msg, err?.message]),
    [
      ['it failed', 'OOM command not allowed 0'],
      ['it failed', 'away'],
    ],
  );
});

test('logs the number of repetitions in one line, and the end once', async (t) => {
  const { logError, lines } = startLog(20);
  for (let count = 0; count < 10; count += 1) logError(new Error(`no ${count}`));
  await until(() => lines().at(-1)?.msg === 'it failed: over');
  const [, counted, over] = lines();
  t.like(counted, { msg: 'it failed', suppressed: 9, err: { message: 'no 9' } });
  t.like(over, { errors: 10 });
  logError(new Error('no again'));
  t.is(lines().length, 4);
});
