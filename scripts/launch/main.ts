// `npm start`              starts everything, from bundles if they are current
// `npm start -- --sources` starts everything from the sources, so that stack traces have their lines
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleOf, findCurrentBundles } from './bundles/current-bundles.ts';

const root = resolve(import.meta.dirname, '../..');
const fromSources = process.argv.includes('--sources');
const bundles = fromSources ? undefined : findCurrentBundles(root);
const { start }: typeof import('./start.ts') = await (bundles === undefined
  ? import('./start.ts')
  : import(pathToFileURL(bundleOf('scripts/launch/start.ts', bundles)).href));
await start({ bundles, buildsBundles: bundles === undefined && !fromSources });
