// `npm test`: every check, then every test; `npm test -- test/some.test.ts` runs only those tests.
import { fileURLToPath } from 'node:url';
import { environmentOf, startSharedStack } from '../../test/helpers/shared-stack.ts';
import { markRunning } from '../launch/processes/running-mark.ts';
import { redisBinary } from '../launch/servers/redis-binary.ts';
import { checkList } from './check-list.ts';
import { runChecks } from './run-checks.ts';
import { runTests } from './run-tests.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const only = process.argv.slice(2);

markRunning();
// once, before many test files want it at the same time
await redisBinary();
const isWhole = only.length === 0;
const [checks, stack] = await Promise.all([
  isWhole ? runChecks(root, checkList(root)) : { passed: 0, failed: 0 },
  isWhole ? startSharedStack() : undefined,
]);
const tests = await runTests(root, only, stack && environmentOf(stack));
await stack?.stop();
const failed = checks.failed + tests.failed;
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
console.log(`\n${checks.passed + tests.passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed > 0 ? 1 : 0;
