import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from '../../checks/run-checks.ts';
import type { Mutant } from './mutants.ts';
import { createNearestTests } from './nearest-tests.ts';
import { createTestRuns } from './test-runs.ts';

/** How many of the nearest test files are asked whether they execute the changed place. */
const ASKED = 48;
/** How many of these are run at least. */
const LEAST = 12;
/** More are run until all together take this long without a change. */
const LONG_MS = 180_000;
/** How many of the nearest come first, whatever they cost. */
const FIRST = 3;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.cache', '.tollhouse', 'node_modules']);
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
  const tests = createTestRuns(folder, env);
  const nearestTests = createNearestTests(folder);
  /** How many mutants a test found. */
  const finds = new Map<string, number>();
  const costOf = (test: string) => tests.knownMs(test) / (1 + (finds.get(test) ?? 0));
  const byCost = (one: string, other: string) => costOf(one) - costOf(other);

  async function fails(test: string, { path, text }: Mutant): Promise<boolean> {
    writeFileSync(join(folder, path), text);
    try {
      if ((await tests.run(test)).ok) return false;
    } finally {
      cpSync(join(root, path), join(folder, path));
    }
    finds.set(test, (finds.get(test) ?? 0) + 1);
    return true;
  }

  return {
    remove,
    /**
     * Runs those of the nearest tests that execute the changed place. After the very nearest come those that are known to be fast
     * and to find many mutants, then those that are not known yet.
     * @returns whether a test fails, or does not end, with a mutant; `unreached` if no test executes the place
     */
    async judge(mutant: Mutant): Promise<'found' | 'survived' | 'unreached'> {
      let [reaching, tookMs] = [0, 0];
      const nearest = nearestTests(mutant.path).slice(0, ASKED);
      for (const test of [...nearest.slice(0, FIRST), ...nearest.slice(FIRST).toSorted(byCost)]) {
        const passed = await tests.pass(test);
        if (!passed?.executes(mutant.path, mutant.offset)) continue;
        reaching += 1;
        tookMs += passed.ms;
        if (await fails(test, mutant)) return 'found';
        if (reaching >= LEAST && tookMs >= LONG_MS) break;
      }
      return reaching === 0 ? 'unreached' : 'survived';
    },
  };
}
