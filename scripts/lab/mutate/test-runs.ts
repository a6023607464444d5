import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../../workers/exact/defined.ts';
import { readExecutedCode } from './executed-code.ts';
import { runGroup } from './run-group.ts';

/** Only a hang takes so long. */
const LONGEST_MS = 1_800_000;
/** The time after which a run hangs that took `ms` without a change. */
const limitFor = (ms: number) => 4 * ms + 60_000;

/** A test file that passed without a change. */
interface Passed {
  readonly ms: number;
  /** Whether the test, or a process that it started and that ended by itself, executes a place of a file. */
  readonly executes: (path: string, offset: number) => boolean;
}

/** Runs test files of a checkout before and after changes, until the first test that fails. */
export function createTestRuns(root: string, env: NodeJS.ProcessEnv) {
  const coverage = join(root, '.cache/coverage');
  const test = (path: string, limitMs: number, more: NodeJS.ProcessEnv = {}) =>
    runGroup(['ava', '--tap', '--fail-fast', path], { cwd: root, env: { ...env, ...more }, limitMs });

  const passed = new Map<string, Passed | undefined>();

  return {
    /** Runs a file without a change, if it was not. Undefined if a test fails, which is then printed. */
    async pass(path: string): Promise<Passed | undefined> {
      if (passed.has(path)) return passed.get(path);
      rmSync(coverage, { recursive: true, force: true });
      mkdirSync(coverage, { recursive: true });
      const startedMs = performance.now();
      // Code from the compile cache would seem to have been executed less often than it was.
      const { ok, output } = await test(path, LONGEST_MS, {
        NODE_V8_COVERAGE: coverage,
        NODE_DISABLE_COMPILE_CACHE: '1',
      });
      if (!ok) console.error(`left out, because it fails without a change: ${path}\n${output}`);
      const ms = performance.now() - startedMs;
      const one = ok ? { ms, executes: readExecutedCode(coverage, root) } : undefined;
      passed.set(path, one);
      return one;
    },
    /** How long a file took that passed; longer than any if it was not run. */
    knownMs: (path: string): number => passed.get(path)?.ms ?? Number.MAX_SAFE_INTEGER,
    /** Runs a file that passed, with a change. It fails also if it does not end. */
    run: (path: string) => test(path, limitFor(defined(passed.get(path)).ms)),
  };
}
