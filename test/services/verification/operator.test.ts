import test from 'ava';
import { sql } from 'kysely';
import { setRevenueFreeze } from '../../../services/verification/mutations/revenue-freeze.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { until } from '../../kit/until.ts';
import { REFUND_TOOL } from '../../models/catalogued.ts';
import { look, pay } from '../../models/refund-run.ts';
import {
  asked,
  type Checks,
  createSteps,
  doneAt,
  expiring,
  LOOK_ONLY,
  PAY_ONLY,
  type PlanRef,
  refund,
  refused,
  refuted,
} from './steps.ts';
import { startVerificationProcess } from './verification-process.ts';

const BY_TEST = { operator: 'test', reason: 'a test' };

/** Plans that were approved while the list said that their tool moves no money, by the name of the tool. */
const olderPlans = new Map<string, PlanRef>();
const tools = 'order.get=none,pay.refund=revenue_write:/id';
const verification = await startVerificationProcess({
  EXPIRY_GRACE_MS: '0',
  TOOL_EFFECTS: `${tools},send.tip=write,send.fee=write`,
});
const steps = createSteps(verification.service, await verification.addTenant('operator'));
for (const name of ['send.tip', 'send.fee']) olderPlans.set(name, await steps.approved(writingPlan(name)));
verification.kill('service');
const raised = `${tools},send.tip=revenue_write:/id,send.fee=revenue_write`;
await verification.revive('service', { TOOL_EFFECTS: raised });
await until(() => steps.create());
test.after.always(() => verification.stop());

// Freeze. Each of these tests freezes the whole service, so they are serial and run before the others.

const setFreeze = (isFrozen: boolean) =>
  verification.withDatabase('owner', (database) => setRevenueFreeze(database, isFrozen, BY_TEST));

const countExecutions = (plan: PlanRef) =>
  verification.withDatabase('owner', async (database) => {
    const rows = await database
      .selectFrom('verification.execution')
      .select('execution_id')
      .where('plan_id', '=', plan.plan_id)
      .execute();
    return rows.length;
  });

test.serial('while revenue writes are frozen no payment is recorded, and the same key works later', async (t) => {
  const plan = await steps.approved({ reserve: 60 });
  const [actions, key] = [refund(), 'frozen'];
  const checks = await steps.checks(plan, actions);
  const done = doneAt(actions);
  await setFreeze(true);
  await refused(t, steps.execute(plan, checks, done, key), 'REVENUE_WRITES_FROZEN');
  await refused(t, steps.reserve(plan, pay('80.00', '')), 'REVENUE_WRITES_FROZEN');
  t.truthy((await steps.reserve(plan, look)).expires_at);
  const stopped = await steps.preflight(plan, done.slice(0, 1), asked(pay('80.00', '')));
  t.like(stopped, { decision: 'refuse', frozen: true, result: { reasons: [{ code: 'REVENUE_WRITES_FROZEN' }] } });
  t.is(stopped.result.reasons.length, 1);
  t.is((await steps.preflight(plan, [], asked(look))).decision, 'allow');
  t.is(await countExecutions(plan), 0);
  await setFreeze(false);
  t.is((await steps.execute(plan, checks, done, key)).state, 'recorded');
  t.is(await countExecutions(plan), 1);
});

test.serial('other writes continue while revenue writes are frozen, up to a proof', async (t) => {
  await setFreeze(true);
  const plan = await steps.approved(LOOK_ONLY);
  const actions = refund().slice(0, 1);
  const execution = await steps.run(plan, actions);
  t.is((await steps.verify(execution)).state, 'verified');
  await setFreeze(false);
});

const RACING = 20;

test.serial('none of twenty executions that race with a freeze is received after it', async (t) => {
  const plan = await steps.approved(PAY_ONLY);
  const checks = await Promise.all(Array.from({ length: RACING }, () => steps.checks(plan, refund().slice(1))));
  const [first, ...others] = checks.map((each) => () => steps.execute(plan, each, doneAt(refund().slice(1))));
  const received = [(await defined(first)()).received_at];
  const sent = others.map((execute) => execute());
  t.teardown(() => setFreeze(false));
  await Promise.race(sent);
  await setFreeze(true);
  for (const result of await Promise.allSettled(sent)) {
    if (result.status === 'fulfilled') received.push(result.value.received_at);
    // A busy machine also refuses what has waited too long for the database.
    else t.regex(result.reason.code, /^(?:REVENUE_WRITES_FROZEN|RECORDS_UNAVAILABLE)$/);
  }
  const changedAt = await verification.withDatabase('owner', async (database) => {
    const { rows } = await sql<{ at: string }>`
      SELECT verification.to_text(changed_at) AS at FROM verification.revenue_freeze`.execute(database);
    return defined(rows[0]).at;
  });
  for (const at of received) t.true(at <= changedAt, `${at} ${changedAt}`);
  t.log(`${received.length} of ${RACING} executions came before the freeze`);
  t.is(await countExecutions(plan), received.length);
});

// The grace after the expiry

test('after the grace, what was done under an expired plan is kept and refuted', async (t) => {
  const actions = refund();
  let checks: Checks | undefined;
  const plan = await expiring(steps, async (draft) => {
    await steps.approve(draft);
    checks = await steps.checks(draft, actions);
    // Checks that came too late are made again under another plan: this one takes no approval.
    if ((await steps.planState(draft)) === 'expired') await steps.approve(draft);
  });
  await until(async () => (await steps.planState(plan)) === 'expired');
  await refuted(t, steps.execute(plan, defined(checks), doneAt(actions)), 'PLAN_NOT_APPROVED', /the plan is expired/);
});

// The list of tools

/** The plan of one act of a tool that writes and moves no money. */
function writingPlan(name: string): object {
  const [step] = PAY_ONLY.steps;
  const tools = [{ ...REFUND_TOOL, name, effect: 'write', identity: null }];
  return { ...PAY_ONLY, tools, steps: [{ ...step, tool: `${name}@2.1.0`, evidence: [] }] };
}

/** Records a payment by the tool of an older plan. */
async function recordOlder(name: string) {
  const plan = defined(olderPlans.get(name));
  const actions = [{ ...pay('80.00', '0.00', 'raised'), tool: name }];
  return steps.run(plan, actions);
}

test('an older plan records an act once after the list says that its tool moves money', async (t) => {
  t.is((await recordOlder('send.tip')).state, 'recorded');
  await refuted(t, recordOlder('send.tip'), 'IDENTITY_REUSED');
});

test('an older plan records no act without an identity after the list says that its tool moves money', async (t) => {
  await refused(t, recordOlder('send.fee'), 'MALFORMED_INPUT', /^\/actions\/0\/tool: .*have a new plan approved/);
});
