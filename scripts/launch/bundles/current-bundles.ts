import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, PACKAGE_BUNDLES, ROOT } from '../../../services/platform/process/installation.ts';
import { errorCodeOf } from '../parse/error-code.ts';

/** Folder of all bundles, from the root of the checkout. */
export const BUNDLES = '.cache/bundles';

/**
 * Describes the newest bundles: the name of their folder, and then a line for each file that they were built from. It is
 * plain text, so that reading it needs no other module.
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
 * Finds the bundles of a checkout.
 * @returns their absolute folder; undefined if there are none, or if a file has changed since they were built
 */
export function findCurrentBundles(root: string): string | undefined {
  const [folder, ...inputs] = readBundlesList(root);
  if (folder === undefined || inputs.length === 0) return undefined;
  const isUnchanged = (line: string): boolean => line === describeInput(root, line.replace(/^\S+ \S+ /, ''));
  const bundles = join(root, BUNDLES, folder);
  return existsSync(bundles) && inputs.every(isUnchanged) ? bundles : undefined;
}

/** The bundles of this package or checkout. Undefined if they must be built first. */
export const findBundles = (): string | undefined => (isInstalled ? PACKAGE_BUNDLES : findCurrentBundles(ROOT));

/** The lines of the list; none if there is no list. */
export function readBundlesList(root: string): readonly string[] {
  try {
    return readFileSync(join(root, BUNDLES_LIST), 'utf8').split('\n');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
