// `npm start` runs this after a change of the sources.
import { resolve } from 'node:path';
import { ensureBundles } from './build-bundles.ts';

await ensureBundles(resolve(import.meta.dirname, '../..'));
