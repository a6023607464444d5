import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { createNearestTests } from '../../../../scripts/lab/mutate/nearest-tests.ts';

const FILES = {
  'services/a/sum.ts': '',
  'services/a/total.ts': "import { sum } from './sum.ts';",
  'services/b/bill.ts': "export { total } from '../a/total.ts';",
  'test/services/a/sum.test.ts': "import '../../../services/a/sum.ts';",
  'test/services/b/sum.test.ts': "import '../../../services/a/sum.ts';",
  'test/services/a/total.test.ts': "import type { Total } from '../../../services/a/total.ts';",
  'test/services/b/bill.test.ts': "await import('../../../services/b/bill.ts');",
  'test/services/a/main.test.ts': '',
  'test/services/b/main.test.ts': '',
};

test('the nearest tests of a file are those of its part that import it, then others that do, then those of its folder', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'nearest-tests-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const nearestTests = createNearestTests(root);
  t.deepEqual(nearestTests('services/a/sum.ts'), [
    'test/services/a/sum.test.ts',
    'test/services/a/total.test.ts',
    'test/services/b/sum.test.ts',
    'test/services/b/bill.test.ts',
    'test/services/a/main.test.ts',
  ]);
  t.deepEqual(nearestTests('services/b/bill.ts'), [
    'test/services/b/bill.test.ts',
    'test/services/b/main.test.ts',
    'test/services/b/sum.test.ts',
  ]);
});
