import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES_PER_GROUP = 12;
const FOLDER = 'test/grouped';

/** Matches files that change their process, have hooks for each test, or start threads or processes of the product. */
const OWN_PROCESS = new RegExp(
  [
    String.raw`\btest\.(?:serial\.)?(?:beforeEach|afterEach|only)`,
    String.raw`\bprocess\.`,
    'child_process|worker_threads|perf_hooks|globalThis',
    'createPool|openZ3|readWasm',
    // The simulation replaces the clock of its process.
    'lab/simulate/',
    String.raw`/(?:[\w-]*stack|harness|verification-process)\.ts`,
  ].join('|'),
);

/** Matches files that use servers. They wait most of the time, and tests that compute would make them wait longer. */
const WITH_SERVERS = new RegExp(
  [
    String.raw`\btest\.(?:serial\.)?(?:before|after)`,
    'helpers/(?:servers|lock-redis|seeded-postgres|redis-proxy|upstream-server|test-folder)',
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
  const kindOf = (path: string): 'alone' | 'servers' | 'pure' => {
    const text = readFileSync(join(root, path), 'utf8');
    if (OWN_PROCESS.test(text)) return 'alone';
    return WITH_SERVERS.test(text) ? 'servers' : 'pure';
  };
  const paths = globSync('test/**/*.test.ts', { cwd: root })
    .filter((path) => !path.startsWith(`${FOLDER}/`) && tierOf(path) === tier)
    .toSorted();
  const { alone = [], servers = [], pure = [] } = Object.groupBy(paths, kindOf);
  removeGroups(root);
  mkdirSync(join(root, FOLDER), { recursive: true });
  return [...alone, ...writeGroups(root, 'servers', servers), ...writeGroups(root, 'pure', pure)];
}

function writeGroups(root: string, name: string, paths: readonly string[]): readonly string[] {
  const groups: string[] = [];
  for (let first = 0; first < paths.length; first += FILES_PER_GROUP) {
    const lines = paths.slice(first, first + FILES_PER_GROUP).map((path) => `  '${path}',`);
    const path = `${FOLDER}/${name}-${groups.length + 1}.test.ts`;
    const text = `import { declareGroup } from '../helpers/grouped-tests.ts';\n\nawait declareGroup([\n${lines.join('\n')}\n]);\n`;
    writeFileSync(join(root, path), text);
    groups.push(path);
  }
  return groups;
}

/** Removes the files that `groupTests` wrote. */
export function removeGroups(root: string): void {
  rmSync(join(root, FOLDER), { recursive: true, force: true });
}
