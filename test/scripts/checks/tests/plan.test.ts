import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { planBatches } from '../../../../scripts/checks/tests/plan.ts';

const STACK = "import { startStack } from '../../kit/stack.ts';";
const FILES: Readonly<Record<string, string>> = {
  'kit/stack.ts': 'export const startStack = () => {};',
  'kit/own-process.ts': 'export const ownProcess = (reason: string) => {};',
  'e2e/pages/browse.ts': STACK,
  'e2e/pages/site.test.ts': "import { visit } from './browse.ts';",
  'e2e/pages/types.test.ts': "import type { Stack } from '../../kit/stack.ts';",
  'e2e/faults/kills.test.ts': STACK,
  'workers/long/seeds.test.ts': '',
  'workers/clock.test.ts':
    "import { ownProcess } from '../kit/own-process.ts';\nimport '../kit/stack.ts';\nownProcess('clock');",
  'workers/pure.test.ts': "import { spawnSync } from 'node:fs';",
  'workers/child.test.ts': "import { spawnSync } from 'node:child_process';",
};

const root = mkdtempSync(join(tmpdir(), 'tollhouse-plan-'));
test.after.always(() => rmSync(root, { recursive: true }));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, 'test', path)), { recursive: true });
  writeFileSync(join(root, 'test', path), text);
}

const planOf = (selection: Parameters<typeof planBatches>[1]) =>
  planBatches(root, selection).map(({ files }) => files.map(({ path }) => path.slice('test/'.length)));

test('what files import decides which of them share a process', (t) => {
  t.deepEqual(planOf({ tier: 'first' }), [
    ['workers/clock.test.ts'],
    ['e2e/pages/site.test.ts'],
    ['workers/child.test.ts'],
    ['e2e/pages/types.test.ts', 'workers/pure.test.ts'],
  ]);
});

test('the folder decides the tier, and paths select files of any tier', (t) => {
  t.deepEqual(planOf({ tier: 'faults' }), [['e2e/faults/kills.test.ts']]);
  const first = planOf({ tier: 'first' }).flat();
  t.deepEqual(planOf({ tier: 'long' }).flat().toSorted(), [...first, 'workers/long/seeds.test.ts'].toSorted());
  t.deepEqual(planOf({ paths: ['test/e2e/faults', 'test/workers/pure.test.ts'] }).flat(), [
    'e2e/faults/kills.test.ts',
    'workers/pure.test.ts',
  ]);
});

test('a process runs a limited number of files, in an order that the seed decides', (t) => {
  for (let n = 10; n < 60; n += 1) writeFileSync(join(root, `test/workers/many-${n}.test.ts`), '');
  const plan = (seed?: string) => planOf({ paths: ['test/workers'], seed });
  t.deepEqual(
    plan().map(({ length }) => length),
    [1, 1, 40, 12],
  );
  t.deepEqual(plan('7'), plan('7'));
  t.notDeepEqual(plan('7'), plan('8'));
  t.deepEqual(plan('7').flat().toSorted(), plan().flat().toSorted());
});
