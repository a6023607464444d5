import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';

const MODULE = new URL('../../../../scripts/cli/terminal/main.ts', import.meta.url).href;

test('a command whose output is no longer read ends without an error', async (t) => {
  const script = `
    import { runAsMain } from '${MODULE}';
    await runAsMain(async () => setInterval(() => console.log('x'.repeat(1000)), 1));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let faults = '';
  child.stderr.on('data', (chunk) => (faults += String(chunk)));
  await once(defined(child.stdout), 'data');
  child.stdout.destroy();
  const [exitCode] = await once(child, 'exit');
  t.deepEqual([exitCode, faults], [0, '']);
});
