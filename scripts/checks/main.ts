// npm test                    runs all checks and all tests
// npm test -- FILE...         runs only these test files
// npm test -- --slowest       also prints the test files that took the most CPU time
// npm run check               checks only types, format and imports
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentOf, startSharedStack } from '../../test/helpers/shared-stack.ts';
import { ensureBundles } from '../bundles/build-bundles.ts';
import { markRunning } from '../launch/processes/running-mark.ts';
import { redisBinary } from '../launch/servers/redis-binary.ts';
import { checkList, quickChecks } from './check-list.ts';
import { runChecks } from './run-checks.ts';
import { runTests, type TestCount } from './run-tests.ts';
import { groupTests, removeGroups } from './test-groups.ts';
import { createTestTimes } from './test-times.ts';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: { slowest: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});

markRunning(root);
const { passed, failed, skipped } = values.quick ? await runQuickChecks() : await runAll();
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

async function runQuickChecks(): Promise<TestCount> {
  return { ...(await runChecks(root, quickChecks(root))), skipped: 0 };
}

async function runAll(): Promise<TestCount> {
  const times = values.slowest ? createTestTimes() : undefined;
  // Otherwise many test files would download Redis at the same time.
  await redisBinary();
  const count =
    positionals.length > 0 ? await runTests(root, positionals, times?.environment) : await runWhole(times?.environment);
  times?.print();
  return count;
}

async function runWhole(environment: Readonly<Record<string, string>> = {}): Promise<TestCount> {
  process.env['TEST_BUNDLES'] = await ensureBundles(root);
  const [checks, stack] = await Promise.all([runChecks(root, checkList(root)), startSharedStack()]);
  const tests = await runTests(root, groupTests(root), { ...environment, ...environmentOf(stack) });
  removeGroups(root);
  await stack.stop();
  return { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed, skipped: tests.skipped };
}
