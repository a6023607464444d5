// Writes all generated files of the repository. With --check, it only lists the files that are out of date. With --pictures, it
// draws the pages instead: all in .cache/pictures, and those of the README in docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBrowserModules } from './browser-modules.ts';
import { generateClient } from './client.ts';
import { generateConfiguration } from './configuration.ts';
import { generateErrorReference } from './error-reference.ts';
import { type Generated, staleFiles, writeGenerated } from './generated.ts';
import { generateOpenApi } from './openapi.ts';
import { generateProofVerifier } from './proof-verifier.ts';
import { generateStubs } from './stubs.ts';
import { generateTables } from './tables.ts';
import { generateWorldMap } from './world-map.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const generators: readonly ((root: string) => Promise<Generated>)[] = [
  // The site serves these, and the site is part of the application that OpenAPI describes.
  generateBrowserModules,
  generateWorldMap,
  generateProofVerifier,
  generateClient,
  generateStubs,
  generateTables,
  generateOpenApi,
  generateConfiguration,
  generateErrorReference,
];

if (process.argv.includes('--pictures')) {
  const { drawPictures } = await import('./pictures.ts');
  const kept = await drawPictures(join(root, '.cache/pictures'));
  mkdirSync(join(root, 'docs/pictures'), { recursive: true });
  for (const [name, picture] of kept) writeFileSync(join(root, `docs/pictures/${name}.png`), picture);
  process.exit();
}

for (const generate of generators) {
  const generated = await generate(root);
  const stale = staleFiles(root, generated);
  if (!process.argv.includes('--check')) writeGenerated(root, generated);
  else if (stale.length > 0) process.exitCode = 1;
  for (const path of stale) console.log(path);
}
if (process.exitCode === 1) console.error('These files are out of date: run `npm run generate`');
