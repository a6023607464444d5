import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { startTied } from '../../../../scripts/launch/processes/tied-process.ts';
import { isAlive } from '../../../kit/alive.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

const MODULE = new URL('../../../../scripts/launch/processes/tied-process.ts', import.meta.url).href;

function shell(script: string) {
  const folder = createTestFolder();
  const { log } = folder.place('child');
  const child = startTied({
    command: '/bin/sh',
    args: ['-c', script],
    env: process.env,
    cwd: folder.path,
    output: log.output,
  });
  return { folder, child, log };
}

test('the exit code or the signal that ended a command is reported', async (t) => {
  const { child, folder } = shell('exit 7');
  t.is(await child.exited, 'exit code 7');
  const other = shell('kill -USR1 $$');
  t.is(await other.child.exited, 'SIGUSR1');
  for (const each of [folder, other.folder]) each.remove();
});

test('the pid is that of the command, so signals reach the command', async (t) => {
  const { child, folder } = shell('trap "exit 3" TERM; echo $$ > pid; while :; do sleep 0.05; done');
  await until(() => existsSync(join(folder.path, 'pid')));
  t.is(Number(readFileSync(join(folder.path, 'pid'), 'utf8')), child.pid);
  await child.stop('SIGTERM', 5_000);
  t.is(await child.exited, 'exit code 3');
  folder.remove();
});

test('a command that ignores SIGTERM is killed after the grace period', async (t) => {
  const { child, folder } = shell('trap "" TERM; touch ready; while :; do sleep 0.05; done');
  await until(() => existsSync(join(folder.path, 'ready')));
  await child.stop('SIGTERM', 100);
  t.is(await child.exited, 'SIGKILL');
  folder.remove();
});

test('processes that a command leaves in its group end with it', async (t) => {
  const { child, folder } = shell('sleep 600 & echo $! > left; exit 0');
  await child.exited;
  const left = Number(readFileSync(join(folder.path, 'left'), 'utf8'));
  t.true(await until(() => !isAlive(left)));
  folder.remove();
});

test('a command ends when the process that started it is killed', async (t) => {
  const script = `
    import { startTied } from '${MODULE}';
    const child = startTied({ command: 'sleep', args: ['600'], env: process.env, output() {} });
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk]: readonly unknown[] = await once(parent.stdout, 'data');
  const child = Number(String(chunk));
  t.true(isAlive(child));
  parent.kill('SIGKILL');
  await until(() => !isAlive(child));
});
