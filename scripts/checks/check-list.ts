import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listKnownFiles, listUnknownFiles } from './files/unknown-files.ts';

export interface Check {
  readonly name: string;
  /** A program in node_modules/.bin, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** What to do when it fails. */
  readonly remedy: string;
}

/** Checks again only what changed. The path is needed because both installed compilers are named tsc. */
const COMPILER = ['node_modules/typescript-native/bin/tsc', '--incremental'];

const QUICK: ReadonlySet<string> = new Set(['types', 'format and lint', 'import rules']);

/** The checks that a change needs most often. */
export const quickChecks = (root: string): readonly Check[] => checkList(root).filter(({ name }) => QUICK.has(name));

/** All checks that do not run the product. Each is independent of the others, and leaves out what git does not know. */
export function checkList(root: string): readonly Check[] {
  const { types, knip, linted } = withoutUnknown(root);
  const checks: Check[] = [
    {
      name: 'types',
      command: ['node', ...COMPILER, '-p', types, '--tsBuildInfoFile', '.cache/types'],
      remedy: 'fix the type errors above',
    },
    {
      name: 'types of browser modules',
      command: ['node', ...COMPILER, '-p', 'gateway/pages/browser', '--tsBuildInfoFile', '.cache/browser-types'],
      remedy: 'fix the type errors above',
    },
    {
      name: 'format and lint',
      command: ['biome', 'check', '--error-on-warnings', ...linted],
      remedy: 'run `npx biome check --write .`, and fix what is left',
    },
    {
      name: 'import rules',
      command: ['node', 'scripts/checks/imports/main.ts'],
      remedy: 'fix the import, or change the rule in scripts/checks/imports/rules.ts and give the reason',
    },
    { name: 'unused code', command: ['knip', '-c', knip], remedy: 'delete the unused code' },
    { name: 'protos', command: ['buf', 'lint'], remedy: 'fix the .proto files' },
    {
      name: 'generated files',
      command: ['node', 'scripts/generate/main.ts', '--check'],
      remedy: 'run `npm run generate`',
    },
    {
      name: 'sandbox contracts',
      command: ['node', 'scripts/generate/build-contracts.ts', '--check'],
      remedy: 'run `npx node scripts/generate/build-contracts.ts`',
    },
    {
      name: 'lock file',
      command: ['node', 'scripts/generate/complete-lock.ts', '--check'],
      remedy: 'run `npx node scripts/generate/complete-lock.ts`',
    },
  ];
  if (existsSync(join(root, 'openapi.json'))) {
    const command = ['redocly', 'lint', 'openapi.json'] as const;
    checks.push({ name: 'OpenAPI', command: [...command], remedy: 'fix the operation that describes it' });
  }
  return checks;
}

/** The configurations of types and unused code, and the paths to lint. Those of the checkout, if git knows all files. */
function withoutUnknown(root: string) {
  const unknown = [...listUnknownFiles(root)];
  if (unknown.length === 0) return { types: '.', knip: 'knip.json', linted: ['.'] };
  console.log(`not checked, because git does not know it: ${unknown.join(' ')}`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const write = (name: string, content: object) => {
    writeFileSync(join(root, '.cache', name), JSON.stringify(content));
    return `.cache/${name}`;
  };
  const exclude = ['gateway/pages/browser', ...unknown].map((path) => `../${path}`);
  return {
    types: write('known-types.json', { extends: '../tsconfig.json', exclude }),
    knip: write('known-knip.json', { ...JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')), ignore: unknown }),
    linted: ['--no-errors-on-unmatched', ...listKnownFiles(root).filter((path) => existsSync(join(root, path)))],
  };
}
