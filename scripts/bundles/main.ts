// `npm start` runs this in the background after a change of the sources. The next start then loads bundles.
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { ensureBundles } from './build-bundles.ts';

// The product that runs beside this must not become slower.
setPriority(constants.priority.PRIORITY_LOW);
await ensureBundles(resolve(import.meta.dirname, '../..'));
