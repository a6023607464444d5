import { spawn } from 'node:child_process';
import { defined } from '../../../workers/exact/defined.ts';

/** Runs a command in a process group of its own, so that what hangs ends with all that it started. */
export async function runGroup(
  [program, ...args]: readonly [string, ...string[]],
  { limitMs, ...place }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly limitMs: number },
) {
  const child = spawn(program, args, { ...place, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exited = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const end = () => {
    try {
      process.kill(-defined(child.pid), 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  process.once('exit', end);
  const timer = setTimeout(end, limitMs);
  const exitCode = await exited;
  clearTimeout(timer);
  process.off('exit', end);
  // A test that failed may have left processes.
  end();
  return { ok: exitCode === 0, output };
}
