import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../parse/error-code.ts';

/** Folder of all bundles, from the root of the checkout. */
export const BUNDLES = '.cache/bundles';

/**
 * Describes the newest bundles: the root of the checkout, the name of their folder, and then a line for each file that
 * they were built from. It is plain text, so that reading it needs no other module.
 */
export const BUNDLES_LIST = `${BUNDLES}/current`;

/** The bundle of a module, from the path of its source. */
export const bundleOf = (source: string, bundles: string): string => join(bundles, source.replace(/\.ts$/, '.js'));

/** The line for a file: its size, its time of modification and its path. Undefined if there is no such file. */
export function describeInput(root: string, path: string): string | undefined {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs} ${path}`;
}

/**
 * Finds the bundles of a checkout. Bundles have absolute paths, so those of a checkout that was moved do not count.
 * @returns their absolute folder; undefined if there are none, or if a file has changed since they were built
 */
export function findCurrentBundles(root: string): string | undefined {
  const [builtFor, folder, ...inputs] = readBundlesList(root);
  if (builtFor !== root || folder === undefined || inputs.length === 0) return undefined;
  const isUnchanged = (line: string): boolean => line === describeInput(root, line.replace(/^\S+ \S+ /, ''));
  const bundles = join(root, BUNDLES, folder);
  return existsSync(bundles) && inputs.every(isUnchanged) ? bundles : undefined;
}

/** The lines of the list; none if there is no list. */
export function readBundlesList(root: string): readonly string[] {
  try {
    return readFileSync(join(root, BUNDLES_LIST), 'utf8').split('\n');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
