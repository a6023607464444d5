import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BUNDLES, findCurrentBundles } from '../launch/bundles/current-bundles.ts';
import { bundlesInUse, markRunning } from '../launch/processes/running-mark.ts';
import { bundle, PROGRAMS } from './bundle.ts';
import { withBuildLock } from './lock.ts';
import { publish, readPublished } from './published.ts';

/** The part of `npm start` that starts the programs. */
const START = 'scripts/launch/start.ts';
/** Files that are in no bundle, but change what is in them. */
const MORE_INPUTS = ['package-lock.json', 'package.json', 'tsconfig.json', 'scripts/bundles/bundle.ts'];

/**
 * Finds the current bundles of a checkout, or builds them in a few seconds. They are kept while this process runs.
 * @returns their absolute folder
 */
export function ensureBundles(root: string): Promise<string> {
  mkdirSync(join(root, BUNDLES), { recursive: true });
  return withBuildLock(root, async () => {
    const found = findCurrentBundles(root) ?? (await buildBundles(root));
    markRunning(root, basename(found));
    return found;
  });
}

async function buildBundles(root: string): Promise<string> {
  const folder = freeFolder(root);
  const outdir = join(root, BUNDLES, folder);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir);
  const startedAtMs = statSync(outdir).mtimeMs;
  const inputs = [...(await bundle({ root, outdir, entryPoints: [...PROGRAMS, START] })), ...MORE_INPUTS];
  // If a file has changed while it was bundled, these bundles may have its old content: the next start builds others.
  if (inputs.every((path) => statSync(join(root, path)).mtimeMs < startedAtMs)) publish(root, folder, inputs);
  return outdir;
}

/**
 * The lowest number that no running process uses and that was not published last, because a process that is starting
 * may use that. Numbers are used again, because the compile cache keeps an entry for every path.
 */
function freeFolder(root: string): string {
  const taken = new Set([...bundlesInUse(root), readPublished(root)]);
  for (let number = 1; ; number += 1) if (!taken.has(String(number))) return String(number);
}
