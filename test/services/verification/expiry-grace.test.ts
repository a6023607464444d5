import test from 'ava';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { until } from '../../kit/until.ts';
import { createSteps, doneAt, instant, refund } from './steps.ts';
import { startVerificationProcess } from './verification-process.ts';

const verification = await startVerificationProcess({ EXPIRY_GRACE_MS: '0' });
const steps = createSteps(verification.service, await verification.addTenant('grace'));
test.after.always(() => verification.stop());

/** A plan that was approved, and actions that were checked, before it expired. */
async function checkedInTime() {
  for (let seconds = 2; ; seconds *= 2) {
    try {
      const plan = await steps.create({ expires_at: instant(seconds) });
      await steps.approve(plan);
      const actions = refund();
      const checks = await steps.checks(plan, actions);
      if ((await steps.planState(plan)) === 'approved') return { plan, actions, checks };
    } catch (error) {
      // The plan expired too early: another one gets more time.
      if (!(error instanceof CallError)) throw error;
      if (error.code !== 'MALFORMED_INPUT' && error.code !== 'PLAN_CLOSED') throw error;
    }
  }
}

test('after the grace, nothing is recorded under an expired plan', async (t) => {
  const { plan, actions, checks } = await checkedInTime();
  await until(async () => (await steps.planState(plan)) === 'expired');
  await t.throwsAsync(steps.execute(plan, checks, doneAt(actions)), { code: 'PLAN_NOT_APPROVED' });
});
