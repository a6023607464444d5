import test from 'ava';
import { createRepeatedErrorLog } from '../../../../services/platform/process/repeated-errors.ts';
import { keepLog } from '../../../helpers/keep-log.ts';
import { until } from '../../ledger/fixture.ts';

interface Line {
  readonly msg: string;
  readonly suppressed?: number;
  readonly errors?: number;
  readonly err?: { readonly message: string };
}

function startLog(everyMs: number) {
  const { logger, text } = keepLog();
  const logError = createRepeatedErrorLog({ logger, message: 'it failed', everyMs });
  const lines = () =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  return { logError, lines };
}

test('the first error of a kind is logged at once, and repetitions are not', (t) => {
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

test('repetitions are counted in one line, and the end is logged once', async (t) => {
  const { logError, lines } = startLog(20);
  for (let count = 0; count < 10; count += 1) logError(new Error(`no ${count}`));
  await until(() => lines().at(-1)?.msg === 'it failed: over');
  const [, counted, over] = lines();
  t.like(counted, { msg: 'it failed', suppressed: 9, err: { message: 'no 9' } });
  t.like(over, { errors: 10 });
  logError(new Error('no again'));
  t.is(lines().length, 4);
});
