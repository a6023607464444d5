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
