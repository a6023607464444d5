import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { staleFiles, writeGenerated } from '../../../scripts/generate/generated.ts';

test('missing, changed and left-over files are stale until they are written', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  const generated = {
    owned: 'gen/**/*.ts',
    files: new Map([
      ['gen/a/new.ts', 'new'],
      ['gen/changed.ts', 'after'],
    ]),
  };
  writeGenerated(root, {
    owned: generated.owned,
    files: new Map([
      ['gen/changed.ts', 'before'],
      ['gen/old.ts', 'old'],
    ]),
  });
  writeFileSync(join(root, 'other.ts'), 'ours');
  t.deepEqual(staleFiles(root, generated), ['gen/a/new.ts', 'gen/changed.ts', 'gen/old.ts']);
  writeGenerated(root, generated);
  t.deepEqual(staleFiles(root, generated), []);
  t.is(readFileSync(join(root, 'gen/changed.ts'), 'utf8'), 'after');
  t.false(existsSync(join(root, 'gen/old.ts')));
  t.true(existsSync(join(root, 'other.ts')));
  rmSync(root, { recursive: true });
});
