import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { type Static, Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { INHERITED } from '../../../kit/inherited.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

const moduleUrl = (path: string) =>
  JSON.stringify(new URL(`../../../../services/platform/process/${path}`, import.meta.url).href);

const PROLOGUE = `
  import { createLogger } from ${moduleUrl('logger.ts')};
  import { ConfigurationError } from ${moduleUrl('environment.ts')};
  import { watchExit } from ${moduleUrl('process-exit.ts')};
  const logger = createLogger({ name: 'test', level: 'info' });
  const closeOnExit = watchExit(logger);
  const alive = setInterval(() => {}, 1000);
`;

const LogLine = Type.Object({
  level: Type.Number(),
  msg: Type.String(),
  err: Type.Optional(Type.Object({ message: Type.String() })),
});
const readLogLine = createJsonReader(LogLine, 'a line of the log');

interface Ended {
  readonly code: unknown;
  readonly lines: readonly Static<typeof LogLine>[];
}

/** Runs a program that watches its exit. Sends each signal once the log has one more line. */
async function run(program: string, signals: readonly NodeJS.Signals[] = []): Promise<Ended> {
  const folder = createTestFolder();
  const { log } = folder.place('test');
  const lines = () => readFileSync(log.path, 'utf8').split('\n').slice(0, -1);
  // The log is a file, as in production. A file keeps the order of the lines.
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROLOGUE + program], {
    env: INHERITED,
    stdio: ['ignore', log.output, 'ignore'],
  });
  const closed = once(child, 'close');
  for (const [sent, signal] of signals.entries()) {
    await until(() => lines().length > sent);
    child.kill(signal);
  }
  const [code] = await closed;
  const ended = { code, lines: lines().map(readLogLine) };
  folder.remove();
  return ended;
}

const FATAL = 60;

test('an uncaught exception is logged as the cause, and the process closes first', async (t) => {
  const { code, lines } = await run(`
    closeOnExit(async () => logger.info('closed'));
    setTimeout(() => { throw new Error('EMFILE'); });
  `);
  t.is(code, 1);
  t.like(lines[0], { level: FATAL, msg: 'process exits: uncaught error', err: { message: 'EMFILE' } });
  t.like(lines[1], { msg: 'closed' });
});

test('an unhandled rejection is logged as the cause', async (t) => {
  const { code, lines } = await run(`setTimeout(() => Promise.reject(new Error('lost')));`);
  t.is(code, 1);
  t.like(lines[0], { level: FATAL, msg: 'process exits: uncaught error', err: { message: 'lost' } });
});

test('a failed start is logged with its error, and a wrong setting with its message only', async (t) => {
  const failed = await run(`throw new Error('no database');`);
  t.is(failed.code, 1);
  t.like(failed.lines[0], { level: FATAL, err: { message: 'no database' } });
  const wrong = await run(`throw new ConfigurationError('PORT: found nothing');`);
  t.is(wrong.code, 78);
  t.like(wrong.lines[0], { level: FATAL, msg: 'process exits: PORT: found nothing', err: undefined });
});

test('the log names a signal, and the process closes first', async (t) => {
  const { code, lines } = await run(`closeOnExit(async () => logger.info('closed')); logger.info('up');`, ['SIGTERM']);
  t.is(code, 0);
  t.deepEqual(
    lines.slice(1).map(({ msg }) => msg),
    ['process exits: SIGTERM', 'closed'],
  );
});

test('a second signal ends a closing process, and the log says so', async (t) => {
  const { code, lines } = await run(`closeOnExit(() => new Promise(() => {})); logger.info('up');`, [
    'SIGTERM',
    'SIGINT',
  ]);
  t.is(code, 1);
  t.like(lines.at(-1), { level: FATAL, msg: 'process exits without closing: SIGINT again' });
});

test('a failure to close is logged, and the exit code is 1', async (t) => {
  const { code, lines } = await run(`closeOnExit(() => Promise.reject(new Error('stuck'))); logger.info('up');`, [
    'SIGTERM',
  ]);
  t.is(code, 1);
  t.like(lines.at(-1), { level: FATAL, msg: 'closing failed', err: { message: 'stuck' } });
});

test('an exit without a known cause is logged', async (t) => {
  const explicit = await run(`setTimeout(() => process.exit(3));`);
  t.is(explicit.code, 3);
  t.like(explicit.lines[0], { level: FATAL, msg: 'process exits without a known cause', code: 3 });
  const unsettled = await run(`clearInterval(alive); await new Promise(() => {});`);
  t.is(unsettled.code, 13);
  t.like(unsettled.lines[0], { level: FATAL, msg: 'process exits without a known cause' });
});
