// `npm start`              starts everything, from bundles
// `npm start -- --sources` starts everything from the sources, so that stack traces have their lines
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildMissingBundles } from './bundles/build-missing.ts';
import { bundleOf, findCurrentBundles } from './bundles/current-bundles.ts';

const root = resolve(import.meta.dirname, '../..');
const bundles = process.argv.includes('--sources')
  ? undefined
  : (findCurrentBundles(root) ?? buildMissingBundles(root));
const { start }: typeof import('./start.ts') = await (bundles === undefined
  ? import('./start.ts')
  : import(pathToFileURL(bundleOf('scripts/launch/start.ts', bundles)).href));
await start(bundles);
