import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { checkList } from '../../../../scripts/checks/check-list.ts';
import { listUnknownFiles } from '../../../../scripts/checks/files/unknown-files.ts';
import { planBatches } from '../../../../scripts/checks/tests/plan.ts';

const root = mkdtempSync(join(tmpdir(), 'tollhouse scratch '));
test.after.always(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
const commandOf = (name: string) =>
  checkList(root)
    .find((check) => check.name === name)
    ?.command.join(' ');

test.serial('without git, every file is checked', (t) => {
  write('test/known.test.ts', '');
  write('knip.json', '{"entry":["a.ts"]}');
  t.deepEqual(listUnknownFiles(root), new Set());
  t.is(commandOf('format and lint'), 'biome check --error-on-warnings .');
});

test.serial('a file that git does not know is in no check and no tier, and one that is ignored neither', (t) => {
  write('.gitignore', '.cache\n');
  git('init');
  git('add', '.');
  t.is(commandOf('unused code'), 'knip -c knip.json');
  write('scratch.mjs', 'let a');
  write('test/scratch.test.ts', 'no test');
  t.deepEqual([...listUnknownFiles(root)].toSorted(), ['scratch.mjs', 'test/scratch.test.ts']);
  t.regex(commandOf('types') ?? '', /-p \.cache\/known-types\.json /);
  t.is(commandOf('unused code'), 'knip -c .cache/known-knip.json');
  t.regex(commandOf('format and lint') ?? '', / \.gitignore knip\.json test\/known\.test\.ts$/);
  const paths = (selection: Parameters<typeof planBatches>[1]) =>
    planBatches(root, selection).flatMap(({ files }) => files.map(({ path }) => path));
  t.deepEqual(paths({ tier: 'first' }), ['test/known.test.ts']);
  t.deepEqual(paths({ paths: ['test/scratch.test.ts'] }), ['test/scratch.test.ts']);
});
