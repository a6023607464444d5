// Checks the import rules with dependency-cruiser, that it saw every source file, and that no folders form a circle.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { createJsonReader } from '../launch/parse/json-reader.ts';
import { findFolderCircles } from './folder-circles.ts';

const run = promisify(execFile);
const FOLDERS = ['gateway', 'services', 'workers', 'scripts', 'test', 'types', 'proto/gen'];

const parseReport = createJsonReader(
  Type.Object({
    modules: Type.Array(
      Type.Object({
        source: Type.String(),
        dependencies: Type.Array(Type.Object({ resolved: Type.String() })),
      }),
    ),
    summary: Type.Object({
      violations: Type.Array(
        Type.Object({ rule: Type.Object({ name: Type.String() }), from: Type.String(), to: Type.String() }),
      ),
    }),
  }),
  'the report of dependency-cruiser',
);

const args = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs'];
const { stdout } = await run(process.execPath, [...args, '--output-type', 'json', ...FOLDERS], {
  maxBuffer: 256 * 1024 * 1024,
});
const { modules, summary } = parseReport(stdout);
const seen = new Set(modules.map(({ source }) => source));
const sources = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`));
const unseen = sources.filter((path) => !seen.has(path));

const isOurs = new Set(sources);
const imports = modules
  .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
  .filter(({ from, to }) => isOurs.has(from) && isOurs.has(to));
const circles = findFolderCircles(imports);

for (const { rule, from, to } of summary.violations) console.log(`${rule.name}: ${from} -> ${to}`);
for (const circle of circles) console.log(`circle of folders: ${circle.join(' ')}`);
if (unseen.length > 0) console.log(`dependency-cruiser did not see: ${unseen.join(' ')}`);
console.log(`${sources.length - unseen.length} of ${sources.length} source files seen`);
if (summary.violations.length > 0 || circles.length > 0 || unseen.length > 0 || sources.length === 0)
  process.exitCode = 1;
