import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ourTree, stockTree } from './trees.ts';

interface TreeConstructionTest {
  readonly data: string;
}

/** The tree-construction tests of html5lib-tests (MIT) by file, from the tests of Turndown's parser. */
const path = fileURLToPath(import.meta.resolve('@mixmark-io/domino/test/html5lib-tests.json'));
const files: Readonly<Record<string, readonly TreeConstructionTest[]>> = JSON.parse(readFileSync(path, 'utf8'));

for (const [file, cases] of Object.entries(files)) {
  test(`the inputs of ${file} become the same trees as with stock parse5`, (t) => {
    for (const { data } of cases) {
      // The mode of the document decides whether a table ends a paragraph.
      for (const html of [data, `<!doctype html>${data}`]) t.is(ourTree(html), stockTree(html), html);
    }
  });
}

test('the whole suite is tested', (t) => {
  t.true(Object.values(files).flat().length > 1500);
});
