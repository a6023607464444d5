import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../../../workers/exact/defined.ts';
import { toolEnvironment } from '../../checks/run-checks.ts';
import type { Mutant } from './mutants.ts';

const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.cache', '.tollhouse', 'node_modules']);
/** Only a hang takes so long. */
const LONGEST_MS = 1_800_000;
/** The time after which a run hangs that took `ms` without a change. */
const limitFor = (ms: number) => 4 * ms + 60_000;

/** Copies the checkout to a folder in which one file at a time is changed. */
export function openMutatedTree(root: string, environment: Readonly<Record<string, string>>) {
  const folder = join(root, '.cache/mutated');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  mkdirSync(join(folder, '.cache'), { recursive: true });
  for (const name of readdirSync(root)) {
    if (!LEFT_OUT.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...toolEnvironment(folder), ...environment };
  const test = (paths: readonly string[], limitMs: number) =>
    runGroup(['ava', '--tap', '--fail-fast', ...paths], { cwd: folder, env, limitMs });

  /** The tests of each folder that were run without a change, and how long they may take. */
  const limits = new Map<string, number>();
  async function limitOf(paths: readonly string[]): Promise<number> {
    const known = limits.get(paths.join());
    if (known !== undefined) return known;
    const startedMs = performance.now();
    const { ok, output } = await test(paths, LONGEST_MS);
    if (!ok) throw new Error(`tests fail without a change:\n${output}`);
    const limitMs = limitFor(performance.now() - startedMs);
    limits.set(paths.join(), limitMs);
    return limitMs;
  }

  return {
    remove,
    /** Whether a test fails, or does not end, with a mutant. */
    async finds({ path, text }: Mutant): Promise<boolean> {
      for (const paths of testsOf(folder, path)) {
        const limitMs = await limitOf(paths);
        writeFileSync(join(folder, path), text);
        const { ok } = await test(paths, limitMs);
        cpSync(join(root, path), join(folder, path));
        if (!ok) return true;
      }
      return false;
    },
  };
}

/** The tests of the folder of a file, and then those of the folders above it, up to its service. */
function testsOf(root: string, path: string): readonly (readonly string[])[] {
  const levels: string[][] = [];
  for (let folder = dirname(path); folder !== 'services'; folder = dirname(folder)) {
    levels.push(globSync([`test/${folder}/*.test.ts`, `test/${folder}.test.ts`], { cwd: root }).toSorted());
  }
  return levels.filter((paths) => paths.length > 0);
}

/** Runs a command in a process group of its own, so that what hangs ends with all that it started. */
async function runGroup(
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
