import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { privateFolder, runFolderOf } from '../../../../scripts/launch/processes/run-folder.ts';

test('the run folder of a deep data folder is short, private, and always the same', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'tollhouse test '));
  const data = join(base, 'a'.repeat(100), 'b'.repeat(100));
  const run = runFolderOf(data);
  t.true(`${run}/backoffice.sock`.length < 100);
  t.is(statSync(run).mode & 0o777, 0o700);
  t.is(runFolderOf(data), run);
  t.not(runFolderOf(join(base, 'other')), run);
  for (const each of [run, runFolderOf(join(base, 'other')), base]) rmSync(each, { recursive: true });
});

test('a link where a private folder should be is refused', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  mkdirSync(join(base, 'theirs'));
  symlinkSync(join(base, 'theirs'), join(base, 'ours'));
  t.throws(() => privateFolder(join(base, 'ours')));
  rmSync(base, { recursive: true });
});

test('a folder that others could enter is closed to them', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  const open = join(base, 'open');
  mkdirSync(open, { mode: 0o777 });
  privateFolder(open);
  t.is(statSync(open).mode & 0o777, 0o700);
  rmSync(base, { recursive: true });
});
