import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createJobSteps } from '../job-steps.ts';
import { startVerifiedStack } from '../verified-stack.ts';

const FAILPOINTS = new URL('../../../kit/failpoints.ts', import.meta.url);

const stack = await startVerifiedStack({ preload: FAILPOINTS });
mkdirSync(join(stack.dataDir, 'failpoints'));
const steps = createJobSteps(stack, await stack.addTenant('jobs'));
test.after.always(() => stack.stop());

for (const victim of ['verification', 'backoffice']) {
  test.serial(`a job runs once although ${victim} is killed right before its answer is committed`, async (t) => {
    const refund = await steps.refundWithEvidence(`killed-${victim}`);
    const step = join(stack.dataDir, 'failpoints', 'verification.mutation.applied');
    writeFileSync(step, String(stack.pid(victim)));
    const submitted = await steps.verify(refund.executionId, `killed-${victim}`);
    t.is(submitted.status, 202);
    await stack.exited(victim);
    await stack.start(victim);
    const job = await steps.endOf(submitted);
    t.true(job.attempts > 1);
    await steps.isProven(t, refund, job);
  });
}
