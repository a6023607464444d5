import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLES_LIST, describeInput, readBundlesList } from '../launch/bundles/current-bundles.ts';

/** Makes the bundles in a folder the ones that processes start, as long as none of `inputs` changes. */
export function publish(root: string, folder: string, inputs: readonly string[]): void {
  const lines = [folder, ...inputs.flatMap((path) => describeInput(root, path) ?? [])];
  const draft = join(root, `${BUNDLES_LIST}.draft`);
  writeFileSync(draft, lines.join('\n'));
  renameSync(draft, join(root, BUNDLES_LIST));
}

/** Returns the folder of the latest `publish`, whose bundles may be old by now. Undefined if nothing was published. */
export const readPublished = (root: string): string | undefined => readBundlesList(root)[0];
