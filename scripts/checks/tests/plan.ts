import { createHash } from 'node:crypto';
import { listUnknownFiles } from '../files/unknown-files.ts';
import { readSources } from '../imports/graph.ts';
import { readImports } from '../imports/read-imports.ts';
import { relativePath } from '../imports/resolver.ts';
import type { Batch } from './worker-pool.ts';

/** When tests run. The long tier has those of the first one again: there, properties are tried with all their cases. */
export type Tier = 'first' | 'faults' | 'long';

/** A test in a folder `faults` or `long` is of that tier, and every other test of the first. */
function isOfTier(path: string, tier: Tier): boolean {
  if (path.includes('/faults/')) return tier === 'faults';
  return tier === 'long' || (tier === 'first' && !path.includes('/long/'));
}

/** What test files need. Files of one kind share processes. */
interface Kind {
  readonly name: string;
  /** Matches what such a file imports, itself or through other modules in `test`. */
  readonly needs: RegExp;
  /** How many files one process runs. */
  readonly files: number;
  /** Whether tests of a file run one after the other. Those that compute would use up the time limits of others. */
  readonly isSerial: boolean;
  /** Whether such files need nothing that the run starts. */
  readonly isIndependent?: true;
}

/**
 * A file is of the first kind that fits. Those that wait most come first, so that others have the processors meanwhile.
 */
const KINDS: readonly Kind[] = [
  { name: 'own process', needs: /^test\/kit\/own-process\.ts$/, files: 1, isSerial: false },
  { name: 'verification process', needs: /\/verification-process\.ts$/, files: 6, isSerial: false },
  { name: 'shared stack', needs: /^test\/kit\/stack\.ts$/, files: 6, isSerial: false },
  { name: 'channel stack', needs: /\/channel-stack\.ts$/, files: 6, isSerial: false },
  { name: 'payments process', needs: /^test\/services\/payments\/harness\.ts$/, files: 6, isSerial: false },
  { name: 'servers', needs: /^test\/kit\/servers\.ts$/, files: 20, isSerial: true },
  { name: 'child processes', needs: /^node:(?:child_process|worker_threads)$/, files: 20, isSerial: true },
  {
    name: 'z3',
    needs: /^(?:test\/models\/open-z3|workers\/solver\/z3\/z3)\.ts$/,
    files: 20,
    isSerial: true,
    isIndependent: true,
  },
  { name: 'pure', needs: /^/, files: 40, isSerial: true, isIndependent: true },
];

export interface Selection {
  /** Without files that git does not know. */
  readonly tier?: Tier;
  /** Paths of test files, or of folders of them. */
  readonly paths?: readonly string[];
  /** Patterns of titles. */
  readonly match?: readonly string[];
  /** Draws another order of the files of a kind, to find tests that need those before them. */
  readonly seed?: string | undefined;
}

/** Decides which test files run in one process, from what they need. */
export function planBatches(root: string, { tier, paths, match = [], seed }: Selection): readonly Batch[] {
  const needs = readNeeds(root);
  const unknown = tier === undefined ? new Set() : listUnknownFiles(root);
  const selected = [...needs.keys()].filter(
    (path) =>
      path.endsWith('.test.ts') &&
      !unknown.has(path) &&
      (tier === undefined || isOfTier(path, tier)) &&
      (paths === undefined || paths.some((one) => path === one || path.startsWith(`${one}/`))),
  );
  const byKind = Map.groupBy(selected, kindOf);
  return KINDS.flatMap(({ name, files, isSerial, isIndependent = false }) => {
    const own = inOrder(byKind.get(name) ?? [], seed);
    return Array.from({ length: Math.ceil(own.length / files) }, (_, index) => ({
      isIndependent,
      files: own.slice(index * files, (index + 1) * files).map((path) => ({ path, isSerial, match })),
    }));
  });

  function kindOf(path: string) {
    const reached = new Set([path]);
    // The set grows while it is read.
    for (const one of reached) for (const to of needs.get(one) ?? []) reached.add(to);
    return KINDS.find((kind) => [...reached].some((one) => kind.needs.test(one)))?.name;
  }
}

/** What each module in `test` imports when it runs: paths from the root, and names of packages. */
function readNeeds(root: string): ReadonlyMap<string, readonly string[]> {
  return new Map([...readSources(root, ['test'])].map(([path, text]) => [path, needsOf(path, text)]));
}

function needsOf(path: string, text: string): readonly string[] {
  try {
    const imports = readImports(path, text).filter(({ typeOnly }) => !typeOnly);
    return imports.map(({ specifier }) => relativePath(path, specifier) ?? specifier);
  } catch (error) {
    // A test file with such a fault fails when it is loaded.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function inOrder(paths: readonly string[], seed: string | undefined): readonly string[] {
  const keyOf = (path: string) =>
    seed === undefined ? path : createHash('sha256').update(`${seed} ${path}`).digest('hex');
  return paths.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
