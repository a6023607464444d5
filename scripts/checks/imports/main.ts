// Checks which file imports which: the rules of rules.ts, and that no folders form a circle.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { createJsonReader } from '../../launch/parse/json-reader.ts';
import { listUnknownFiles } from '../files/unknown-files.ts';
import { findBreaches } from './breaches.ts';
import { findFolderCircles } from './circles.ts';
import { findImports, readSources } from './graph.ts';
import { createResolver } from './resolver.ts';
import { RULES } from './rules.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['gateway', 'services', 'workers', 'scripts', 'test', 'types', 'proto/gen'];

const Packages = Type.Record(Type.String(), Type.String());
const parseManifest = createJsonReader(
  Type.Object({ dependencies: Packages, devDependencies: Packages, optionalDependencies: Packages }),
  'package.json',
);

/** Asks Node, whose answer also depends on which parts a package exports. */
function isInstalled(specifier: string): boolean {
  try {
    import.meta.resolve(specifier);
    return true;
  } catch {
    return false;
  }
}

const unknown = listUnknownFiles(ROOT);
const sources = new Map([...readSources(ROOT, FOLDERS)].filter(([path]) => !unknown.has(path)));
const paths = [...sources.keys()];
const empty = FOLDERS.filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)));
if (empty.length > 0) throw new Error(`no source files in ${empty.join(', ')}`);
const manifest = parseManifest(readFileSync(`${ROOT}package.json`, 'utf8'));
const imports = findImports(sources, createResolver({ files: sources, manifest, isInstalled }));
const breaches = findBreaches(RULES, imports);
const circles = findFolderCircles(imports.filter(({ kind }) => kind === 'file'));

for (const breach of breaches) console.log(breach);
for (const circle of circles) console.log(`circle of folders: ${circle.join(' ')}`);
console.log(`${sources.size} source files, ${imports.length} imports`);
if (breaches.length > 0 || circles.length > 0) process.exitCode = 1;
