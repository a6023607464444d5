import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { INHERITED } from '../../../helpers/inherited.ts';

const LOGGER = new URL('../../../../services/platform/process/logger.ts', import.meta.url).href;

// Writes to /dev/full fail with ENOSPC, as on a full disk.
test('a process whose log cannot be written keeps running, in bounded memory', async (t) => {
  const program = `
    import { createLogger } from ${JSON.stringify(LOGGER)};
    const logger = createLogger({ name: 'test', level: 'info' });
    const heap = () => { gc(); return process.memoryUsage().heapUsed + process.memoryUsage().external; };
    for (let n = 0; n < 1000; n += 1) logger.info({ n }, 'x'.repeat(1000));
    const before = heap();
    for (let n = 0; n < 20000; n += 1) logger.info({ n }, 'x'.repeat(1000));
    await new Promise((resolve) => setImmediate(resolve));
    process.stderr.write(heap() - before < 10e6 ? 'bounded' : 'unbounded');
  `;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    env: INHERITED,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  const { stderr } = child;
  if (stderr === null) throw new Error('standard error is not a pipe');
  const [closed, errors] = await Promise.all([once(child, 'close'), text(stderr)]);
  t.deepEqual({ code: closed[0], errors }, { code: 0, errors: 'bounded' });
});

test('errors are logged without the addresses of servers, which may have a key', async (t) => {
  const program = `
    import { createLogger } from ${JSON.stringify(LOGGER)};
    const logger = createLogger({ name: 'test', level: 'info' });
    const inner = Object.assign(new Error('fetch of https://node.test/v2/secret-1 failed'), {
      url: 'https://node.test/v2/secret-2',
      details: ['postgres://user:secret-3@host/base', 7],
    });
    const error = new AggregateError([inner], 'see wss://node.test/secret-4', { cause: inner });
    logger.error({ err: error }, 'a job failed');
    logger.error({ err: 'a text with redis://:secret-5@host' }, 'another');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: INHERITED });
  const log = await text(child.stdout);
  t.regex(log, /fetch of \(address\) failed/);
  t.regex(log, /logger\.test|at .+\d/, 'and with its stack');
  t.notRegex(log, /secret/);
  t.is(log.trim().split('\n').length, 2);
});
