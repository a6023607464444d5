import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { runFolderOf, runFolderPath } from '../../../../scripts/launch/processes/run-folder.ts';
import { isAlive } from '../../../kit/alive.ts';
import { until } from '../../../kit/until.ts';

const MODULE = new URL('../../../../scripts/checks/tests/run-folder.ts', import.meta.url).href;
/** Opens a run, starts a process that knows it, leaves a test folder, and prints what it has. */
const RUN = `
  import { spawn } from 'node:child_process';
  import { mkdirSync } from 'node:fs';
  import { openRunFolder } from '${MODULE}';
  const { env } = await openRunFolder({ temporary: process.env.BASE, memory: process.env.BASE + '/memory' });
  mkdirSync(env.TMPDIR + '/data');
  const child = spawn('sleep', ['600'], { env: { ...process.env, ...env }, detached: true, stdio: 'ignore' });
  console.log(JSON.stringify({ folder: env.TMPDIR, pid: child.pid }));
  setInterval(() => {}, 1000);`;

test('the next run removes what a killed one left, and nothing of one that is alive', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'tollhouse-runs-'));
  t.teardown(() => rmSync(base, { recursive: true }));
  const open = async () => {
    const env = { ...process.env, BASE: base };
    const run = spawn(process.execPath, ['--input-type=module', '--eval', RUN], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line]: unknown[] = await once(run.stdout, 'data');
    const { folder, pid }: { folder: string; pid: number } = JSON.parse(String(line));
    t.teardown(() => run.kill('SIGKILL'));
    t.teardown(() => isAlive(pid) && process.kill(pid, 'SIGKILL'));
    return { run, folder, pid };
  };
  const killed = await open();
  const living = await open();
  const sockets = runFolderOf(join(killed.folder, 'data'));
  t.is(sockets, runFolderPath(join(killed.folder, 'data')));
  killed.run.kill('SIGKILL');
  await once(killed.run, 'exit');
  t.true(isAlive(killed.pid));

  const next = await open();
  await until(() => !isAlive(killed.pid));
  t.false(existsSync(killed.folder));
  t.false(existsSync(sockets));
  t.true(isAlive(living.pid));
  t.deepEqual(readdirSync(living.folder).toSorted(), ['data', 'owner']);
  t.deepEqual(readdirSync(next.folder).toSorted(), ['data', 'owner']);
});
