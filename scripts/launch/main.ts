// `npm start`              starts everything, from bundles
// `npm start -- --sources` starts everything from the sources, so that stack traces have their lines
import { pathToFileURL } from 'node:url';
import { isInstalled, ROOT } from '../../services/platform/process/installation.ts';
import { buildMissingBundles } from './bundles/build-missing.ts';
import { bundleOf, findBundles } from './bundles/current-bundles.ts';

const bundles = process.argv.includes('--sources') ? undefined : (findBundles() ?? buildMissingBundles(ROOT));
const { start }: typeof import('./start.ts') = await (bundles === undefined || isInstalled
  ? import('./start.ts')
  : import(pathToFileURL(bundleOf('scripts/launch/start.ts', bundles)).href));
await start(bundles);
