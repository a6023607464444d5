import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { INHERITED } from '../../../kit/inherited.ts';

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

test('errors are logged without the addresses of servers, which may have a key, and of wallets', async (t) => {
  const program = `
    import { createLogger } from ${JSON.stringify(LOGGER)};
    const logger = createLogger({ name: 'test', level: 'info' });
    const inner = Object.assign(new Error('fetch of https://node.test/v2/secret-1 failed, of 0x5EC0000000000000000000000000000000000e70'), {
      url: 'https://node.test/v2/secret-2',
      details: ['postgres://user:secret-3@host/base', 7],
    });
    const error = new AggregateError([inner], 'see wss://node.test/secret-4', { cause: inner });
    logger.error({ err: error }, 'a job failed');
    logger.error({ err: 'a text with redis://:secret-5@host' }, 'another');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: INHERITED });
  const log = await text(child.stdout);
  t.regex(log, /fetch of \(address\) failed, of \(account\)/);
  t.regex(log, /logger\.test|at .+\d/, 'and with its stack');
  t.notRegex(log, /secret/);
  t.is(log.trim().split('\n').length, 2);
});

test('no line has long bytes: nodes and their clients repeat what they were asked, such as payments', async (t) => {
  const secret = `5ec7e7${'0a'.repeat(62)}`;
  const program = `
    import { createLogger } from ${JSON.stringify(LOGGER)};
    import { createPublicClient, http } from 'viem';
    const logger = createLogger({ name: 'test', level: 'info' });
    const data = '0x${secret}';
    const hash = '0x${'c'.repeat(64)}';
    const node = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) });
    for (const ask of [
      () => node.call({ data }),
      () => node.estimateGas({ data }),
      () => node.sendRawTransaction({ serializedTransaction: data }),
    ]) {
      const cause = await ask().catch((error) => error);
      logger.warn({ err: new AggregateError([cause], 'several', { cause }), hash }, 'no answer');
    }
    logger.warn({ err: Object.assign(new Error('reverted'), { data: { data: [data.toUpperCase()] } }) }, data);
    logger.warn({ err: Object.assign(new Error('x'), { detail: '(\\\\x${secret})' }), amount: 10n ** 77n }, 'a row');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: INHERITED });
  const log = await text(child.stdout);
  const lines = log.trim().split('\n');
  t.notRegex(log, /5ec7e7/i);
  t.deepEqual(
    lines.map((line) => Boolean(JSON.parse(line))),
    [true, true, true, true, true],
  );
  t.is(log.match(/c{64}/g)?.length, 3, 'hashes are written');
  t.regex(log, /Request body/);
});
