import test from 'ava';
import { findFolderCircles } from '../../../../scripts/checks/imports/circles.ts';

const imports = (...pairs: readonly (readonly [string, string])[]) => pairs.map(([from, to]) => ({ from, to }));

test('folders that import each other, directly or through a third, are a circle', (t) => {
  t.deepEqual(findFolderCircles(imports(['a/x.ts', 'b/y.ts'], ['b/z.ts', 'a/w.ts'])), [['a', 'b']]);
  t.deepEqual(findFolderCircles(imports(['c/x.ts', 'a/x.ts'], ['a/x.ts', 'b/y.ts'], ['b/y.ts', 'c/z.ts'])), [
    ['a', 'b', 'c'],
  ]);
});

test('a folder and its parent can be a circle', (t) => {
  t.deepEqual(findFolderCircles(imports(['a/x.ts', 'a/b/y.ts'], ['a/b/z.ts', 'a/w.ts'])), [['a', 'a/b']]);
});

test('imports in one direction and imports within a folder are not circles', (t) => {
  const one = imports(
    ['a/x.ts', 'b/y.ts'],
    ['a/x.ts', 'c/y.ts'],
    ['b/y.ts', 'c/y.ts'],
    ['c/y.ts', 'c/z.ts'],
    ['c/z.ts', 'c/y.ts'],
  );
  t.deepEqual(findFolderCircles(one), []);
});
