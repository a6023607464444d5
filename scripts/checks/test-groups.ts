import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES_PER_GROUP = 12;
const FOLDER = 'test/grouped';

/** Matches files that start processes or threads, have hooks, or change their process. They need a separate process. */
const OWN_PROCESS = new RegExp(
  [
    String.raw`\btest\.(?:serial\.)?(?:before|after|only)`,
    String.raw`\bprocess\.`,
    'child_process|worker_threads|perf_hooks|globalThis',
    'createPool|openZ3|readWasm',
    'helpers/(?:stack|shared-stack|servers|ledger-redis|seeded-postgres|redis-proxy|upstream-server|test-folder)',
    '/(?:harness|verified-stack|faulty-stack|verification-process)',
  ].join('|'),
);

/** When tests run. A test in a folder `faults` or `long` is of that tier, and every other test of the first. */
export type Tier = 'first' | 'faults' | 'long';

const tierOf = (path: string): Tier =>
  path.includes('/faults/') ? 'faults' : path.includes('/long/') ? 'long' : 'first';

/**
 * Groups the test files of a tier that need no separate process. Writes one file for each group, which loads up to 12 test files.
 * Files of one group load the modules that they share once.
 * @returns paths of all files to run, from the root of the checkout
 */
export function groupTests(root: string, tier: Tier): readonly string[] {
  const paths = globSync('test/**/*.test.ts', { cwd: root })
    .filter((path) => !path.startsWith(`${FOLDER}/`) && tierOf(path) === tier)
    .toSorted();
  const alone = paths.filter((path) => OWN_PROCESS.test(readFileSync(join(root, path), 'utf8')));
  const together = paths.filter((path) => !alone.includes(path));
  removeGroups(root);
  mkdirSync(join(root, FOLDER), { recursive: true });
  const groups: string[] = [];
  for (let first = 0; first < together.length; first += FILES_PER_GROUP) {
    const members = together.slice(first, first + FILES_PER_GROUP);
    const path = `${FOLDER}/group-${groups.length + 1}.test.ts`;
    const lines = members.map((member) => `  '${member}',`);
    const text = `import { declareGroup } from '../helpers/grouped-tests.ts';\n\nawait declareGroup([\n${lines.join('\n')}\n]);\n`;
    writeFileSync(join(root, path), text);
    groups.push(path);
  }
  return [...alone, ...groups];
}

/** Removes the files that `groupTests` wrote. */
export function removeGroups(root: string): void {
  rmSync(join(root, FOLDER), { recursive: true, force: true });
}
