// npm test                    runs all checks, and the tests of the first tier beside them
// npm run test:faults         runs the tests in folders `faults`: kills, crashes, restores, upgrades
// npm run test:long           runs the tests in folders `long` and those of the first tier, with all cases and in a random order,
//                             and then changes the code at random
// ... --seed TEXT             repeats such an order
// npm test -- PATH...         runs only these test files, or those in a folder, of any tier
// ... --match PATTERN         runs only tests with such a title; `*` stands for anything
// npm run check               checks only types, format and imports
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentOf, startSharedStack } from '../../test/kit/shared-stack.ts';
import { startSharedPostgres } from '../../test/kit/test-database.ts';
import { ensureBundles } from '../bundles/build-bundles.ts';
import { markRunning } from '../launch/processes/running-mark.ts';
import { redisBinary } from '../launch/servers/redis-binary.ts';
import { checkList, quickChecks } from './check-list.ts';
import { runChecks } from './run-checks.ts';
import { planBatches, type Tier } from './tests/plan.ts';
import type { TestCount } from './tests/progress.ts';
import { enterRunFolder } from './tests/run-folder.ts';
import { runTests } from './tests/run-tests.ts';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    match: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});

markRunning(root);
const counts = values.quick ? [await runChecks(root, quickChecks(root))] : await runAll();
const sum = (field: keyof TestCount) => counts.reduce((total, count) => total + count[field], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);

/** Runs the selected tests. With no other selection, all checks run beside the first tier. */
async function runAll(): Promise<readonly TestCount[]> {
  const tier: Tier = values.faults ? 'faults' : values.long ? 'long' : 'first';
  const isWhole = positionals.length === 0;
  await enterRunFolder();
  const stops: (() => Promise<void>)[] = [];
  const seed = values.seed ?? (values.long ? randomUUID().slice(0, 8) : undefined);
  if (seed !== undefined) console.log(`the order of the test files is that of --seed ${seed}`);
  const batches = planBatches(root, { match: values.match, seed, ...(isWhole ? { tier } : { paths: positionals }) });
  const env = startNeeds();
  try {
    const counts = await Promise.all([
      runTests({ root, batches, env, isLong: values.long }),
      ...(isWhole && tier === 'first' ? [runChecks(root, checkList(root))] : []),
    ]);
    return isWhole && tier === 'long' ? [...counts, await runMutants()] : counts;
  } finally {
    for (const stop of stops) await stop();
  }

  /** Starts what several test files use. @returns the environment in which they find it */
  async function startNeeds(): Promise<NodeJS.ProcessEnv> {
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      TEST_TIER: tier,
      NODE_COMPILE_CACHE: resolve(root, '.cache/compiled'),
    };
    // Otherwise many test files would download Redis at the same time.
    await redisBinary();
    if (!isWhole) return env;
    process.env['TEST_BUNDLES'] = await ensureBundles(root);
    if (tier === 'faults') return { ...env, ...process.env };
    const [stack, postgres] = await Promise.all([startSharedStack(), startSharedPostgres()]);
    stops.push(stack.stop, postgres.stop);
    return { ...env, ...process.env, ...environmentOf(stack), ...postgres.environment };
  }
}

/** Whether the tests find enough changes of the code. */
async function runMutants(): Promise<TestCount> {
  const mutants = spawn(process.execPath, [resolve(root, 'scripts/lab/mutate/main.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  const [exitCode]: unknown[] = await once(mutants, 'exit');
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
}
