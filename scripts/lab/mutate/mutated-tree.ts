import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from '../../checks/run-checks.ts';
import type { Mutant } from './mutants.ts';
import { createNearestTests } from './nearest-tests.ts';
import { createTestRuns } from './test-runs.ts';

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

  return {
    remove,
    /** Whether a test fails, or does not end, with a mutant. */
    async finds({ path, text }: Mutant): Promise<boolean> {
      for (const paths of nearestTests(path)) {
        await tests.pass(paths);
        writeFileSync(join(folder, path), text);
        const { ok } = await tests.run(paths);
        cpSync(join(root, path), join(folder, path));
        if (!ok) return true;
      }
      return false;
    },
  };
}
