import { spawnSync } from 'node:child_process';
import { findCurrentBundles } from './current-bundles.ts';

/**
 * Builds bundles in another process, which gives back its memory before anything else starts.
 * @returns their absolute folder; undefined if they cannot be built, so that the sources must be run
 */
export function buildMissingBundles(root: string): string | undefined {
  console.log('bundling the changed sources, once');
  spawnSync(process.execPath, ['scripts/bundles/main.ts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return findCurrentBundles(root);
}
