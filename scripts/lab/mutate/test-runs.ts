import { runGroup } from './run-group.ts';

/** Only a hang takes so long. */
const LONGEST_MS = 1_800_000;
/** The time after which a run hangs that took `ms` without a change. */
const limitFor = (ms: number) => 4 * ms + 60_000;

/** Runs test files of a checkout before and after changes, until the first test that fails. */
export function createTestRuns(root: string, env: NodeJS.ProcessEnv) {
  const test = (paths: readonly string[], limitMs: number) =>
    runGroup(['ava', '--tap', '--fail-fast', ...paths], { cwd: root, env, limitMs });

  /** The files that were run without a change, and how long they may take. */
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
    /** Runs the files without a change, if they were not. @throws if a test fails */
    async pass(paths: readonly string[]): Promise<void> {
      await limitOf(paths);
    },
    /** Runs the files with a change. They fail also if they do not end. */
    run: async (paths: readonly string[]) => test(paths, await limitOf(paths)),
  };
}
