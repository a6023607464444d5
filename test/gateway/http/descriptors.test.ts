import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { INHERITED } from '../../kit/inherited.ts';

const run = promisify(execFile);
const MODULE = new URL('../../../gateway/http/descriptors.ts', import.meta.url).href;

/** How many of 1,000 connections a process with this limit of open files can afford. */
async function affordable(openFiles: number): Promise<string> {
  const program = `const m = await import(${JSON.stringify(MODULE)}); console.log(m.affordableConnections(1000));`;
  const command = `ulimit -n ${openFiles}; exec "$@"`;
  const { stdout } = await run('/bin/sh', ['-c', command, 'limited', process.execPath, '-e', program], {
    env: INHERITED,
  });
  return stdout.trim();
}

test('the connection limit leaves descriptors for other needs', async (t) => {
  t.is(await affordable(512), '352');
  t.is(await affordable(4096), '1000');
});

test('refuses a limit of open files that leaves too few connections', async (t) => {
  const error = await t.throwsAsync(affordable(128), { message: /ulimit -n\) is 128; the gateway needs at least/ });
  t.regex(String(error), /ConfigurationError/);
});
