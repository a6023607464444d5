// Runs dependency-cruiser, makes sure that it saw every source file, and finds circles of folders.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { findFolderCircles } from './folder-circles.ts';

const run = promisify(execFile);
const FOLDERS = ['gateway', 'services', 'workers', 'scripts', 'test', 'types', 'proto/gen'];

interface Report {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

const args = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs'];
const { stdout } = await run(process.execPath, [...args, '--output-type', 'json', ...FOLDERS], {
  maxBuffer: 256 * 1024 * 1024,
});
const { modules, summary } = JSON.parse(stdout) as Report;
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
