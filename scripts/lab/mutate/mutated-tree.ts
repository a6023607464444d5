import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from '../../checks/run-checks.ts';
import type { Mutant } from './mutants.ts';
import { createNearestTests } from './nearest-tests.ts';
import { createTestRuns } from './test-runs.ts';

/** How many of the nearest test files are asked whether they execute the changed place. */
const ASKED = 48;
/** How many of these are run. */
const MOST = 24;
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

  return {
    remove,
    /**
     * Runs those of the nearest tests that execute the changed place. Those that are fast and found many
     * mutants come first.
     * @returns whether a test fails, or does not end, with a mutant; `unreached` if no test executes the place
     */
    async judge({ path, offset, text }: Mutant): Promise<'found' | 'survived' | 'unreached'> {
      const reaching: { readonly test: string; readonly cost: number }[] = [];
      for (const test of nearestTests(path).slice(0, ASKED)) {
        const passed = await tests.pass(test);
        if (passed?.executes(path, offset)) reaching.push({ test, cost: passed.ms / (1 + (finds.get(test) ?? 0)) });
        if (reaching.length === MOST) break;
      }
      try {
        writeFileSync(join(folder, path), text);
        for (const { test } of reaching.toSorted((one, other) => one.cost - other.cost)) {
          const { ok } = await tests.run(test);
          if (ok) continue;
          finds.set(test, (finds.get(test) ?? 0) + 1);
          return 'found';
        }
      } finally {
        cpSync(join(root, path), join(folder, path));
      }
      return reaching.length === 0 ? 'unreached' : 'survived';
    },
  };
}
