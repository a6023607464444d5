import { existsSync } from 'node:fs';
import { join } from 'node:path';

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

/** All checks that do not run the product. Each is independent of the others. */
export function checkList(root: string): readonly Check[] {
  const checks: Check[] = [
    {
      name: 'types',
      command: ['node', ...COMPILER, '-p', '.', '--tsBuildInfoFile', '.cache/types'],
      remedy: 'fix the type errors above',
    },
    {
      name: 'types of browser modules',
      command: ['node', ...COMPILER, '-p', 'gateway/pages/browser', '--tsBuildInfoFile', '.cache/browser-types'],
      remedy: 'fix the type errors above',
    },
    {
      name: 'format and lint',
      command: ['biome', 'check', '--error-on-warnings', '.'],
      remedy: 'run `npx biome check --write .`, and fix what is left',
    },
    {
      name: 'import rules',
      command: ['node', 'scripts/checks/imports/main.ts'],
      remedy: 'fix the import, or change the rule in scripts/checks/imports/rules.ts and give the reason',
    },
    { name: 'unused code', command: ['knip'], remedy: 'delete the unused code' },
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
