// npm test                    runs all checks, and the tests of the first tier
// npm run test:faults         runs the tests in folders `faults`: kills, crashes, restores, upgrades
// npm run test:long           runs the tests in folders `long`: the simulation with many seeds
// npm test -- FILE...         runs only these test files, of any tier
// ... -- --slowest            also prints the test files that took the most CPU time
// npm run check               checks only types, format and imports
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentOf, startSharedStack } from '../../test/helpers/shared-stack.ts';
import { startSharedPostgres } from '../../test/helpers/test-database.ts';
import { ensureBundles } from '../bundles/build-bundles.ts';
import { markRunning } from '../launch/processes/running-mark.ts';
import { redisBinary } from '../launch/servers/redis-binary.ts';
import { checkList, quickChecks } from './check-list.ts';
import { runChecks } from './run-checks.ts';
import { runTests, type TestCount } from './run-tests.ts';
import { groupTests, removeGroups, type Tier } from './test-groups.ts';
import { createTestTimes } from './test-times.ts';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: {
    slowest: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
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
  const count = await runSelected(times?.environment);
  times?.print();
  return count;
}

async function runSelected(environment: Readonly<Record<string, string>> = {}): Promise<TestCount> {
  if (positionals.length > 0) return runTests(root, positionals, environment);
  process.env['TEST_BUNDLES'] = await ensureBundles(root);
  if (values.faults) return runTier('faults', environment);
  if (values.long) return runTier('long', environment);
  return runFirst(environment);
}

/** The checks and the first tier, whose tests share a stack and a PostgreSQL. */
async function runFirst(environment: Readonly<Record<string, string>>): Promise<TestCount> {
  const [checks, stack, postgres] = await Promise.all([
    runChecks(root, checkList(root)),
    startSharedStack(),
    startSharedPostgres(),
  ]);
  const tests = await runTier('first', { ...environment, ...environmentOf(stack), ...postgres.environment });
  await Promise.all([stack.stop(), postgres.stop()]);
  return { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed, skipped: tests.skipped };
}

async function runTier(tier: Tier, environment: Readonly<Record<string, string>>): Promise<TestCount> {
  const count = await runTests(root, groupTests(root, tier), environment);
  removeGroups(root);
  return count;
}
