import { randomUUID } from 'node:crypto';
import test from 'ava';
import { type Caller, Role } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { issueKey, revokeKey } from '../../../../services/verification/tenants/keys.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { look } from '../../../models/refund-run.ts';
import { asked, createSteps, doneAt, LOOK_ONLY, type PlanRef } from '../steps.ts';
import { useVerificationProcess } from '../verification-process.ts';

const verification = await useVerificationProcess();
const callers = await verification.addTenant('rejections');
const { tenantId, agent, approver, reader } = callers;
const other = await verification.addTenant('others');
const steps = createSteps(verification.service, callers);
test.after.always(() => verification.stop());

const propose = (changes: object = {}) => steps.create({ ...LOOK_ONLY, ...changes });

const addApprover = (group?: string): Promise<Caller> =>
  verification.withDatabase('owner', async (database) => {
    const { keyId } = await issueKey(database, tenantId, 'approver', group === undefined ? {} : { group });
    return { tenantId, keyId, role: Role.ROLE_APPROVER, scopes: [], keyGroup: group ?? keyId };
  });

test('one approver rejects a draft for a reason, whatever approvals it has, and nothing changes that', async (t) => {
  const plan = await propose({ approvals: 2 });
  const [one, another] = [await addApprover(), await addApprover()];
  const checks = await steps.checks(plan, [look]);
  await steps.approve(plan, one);
  const once = { reason: '<b>Too much</b> for “A1”', idempotencyKey: randomUUID() };
  const answer = await steps.reject(approver, plan, once);
  t.like(answer, {
    state: 'rejected',
    approvals: { needed: 2 },
    rejected: { by: approver.keyId, reason: once.reason },
  });
  t.is(answer.approvals.given.length, 1);
  t.deepEqual(await steps.reject(approver, plan, once), answer);
  const { state, rejected } = await steps.read(plan);
  t.deepEqual([state, rejected], ['rejected', answer.rejected]);
  const closed = { code: 'PLAN_CLOSED', message: 'the plan is rejected' };
  for (const end of [
    () => steps.reject(another, plan),
    () => steps.approve(plan, another),
    () => steps.withdraw(one, plan),
  ]) {
    await t.throwsAsync(end(), closed);
  }
  t.like(await steps.preflight(plan, [], asked(look)), {
    decision: 'refuse',
    result: { reasons: [{ code: 'PLAN_NOT_APPROVED', message: 'the plan was rejected' }] },
  });
  const notApproved = { code: 'PLAN_NOT_APPROVED', message: 'the plan is rejected' };
  await t.throwsAsync(steps.execute(plan, checks, doneAt([look])), notApproved);
  const approve = verification.withDatabase('service', (database) =>
    inTenant(database, tenantId, (transaction) =>
      transaction
        .insertInto('verification.plan_approver')
        .values({
          tenant_id: tenantId,
          plan_id: plan.plan_id,
          plan_hash: plan.plan_hash,
          approved_by: another.keyId,
          approver_group: another.keyGroup,
        })
        .execute(),
    ),
  );
  await t.throwsAsync(approve, { code: '42501' }, 'by a process that knows no rejections');
  await verification.withDatabase('owner', (database) => revokeKey(database, one.keyId));
  await steps.approved({ ...LOOK_ONLY, supersedes: plan.plan_id });
  t.is(await steps.planState(plan), 'rejected');
});

test('only an approver who did not propose the plan rejects it, by its hash', async (t) => {
  const sales = createSteps(verification.service, { agent: { ...agent, keyGroup: 'sales' }, approver });
  const plan = await sales.create(LOOK_ONLY);
  for (const caller of [agent, reader, await addApprover('sales'), { ...approver, keyId: agent.keyId }]) {
    await t.throwsAsync(steps.reject(caller, plan), { code: 'APPROVAL_NOT_ALLOWED' });
  }
  await t.throwsAsync(steps.reject(other.approver, plan), { code: 'NOT_FOUND' });
  const wrong = { ...plan, plan_hash: 'ab'.repeat(32) };
  await t.throwsAsync(steps.reject(approver, wrong), { code: 'PLAN_HASH_MISMATCH' });
  t.is(await steps.planState(plan), 'draft');
});

test('a plan that is not a draft is not rejected', async (t) => {
  const refuses = (plan: PlanRef, message: string) =>
    t.throwsAsync(steps.reject(approver, plan), { code: 'PLAN_CLOSED', message });
  const approved = await steps.approved(LOOK_ONLY);
  await refuses(approved, 'the plan is approved: withdraw an approval of it');
  await steps.withdraw(approver, approved);
  await refuses(approved, 'the plan is withdrawn');
  const superseded = await propose();
  await steps.approved({ ...LOOK_ONLY, supersedes: superseded.plan_id });
  await refuses(superseded, 'the plan is superseded');
});

for (const [what, reason] of [
  ['null', null],
  ['empty', ''],
  ['white space', ' \u00a0 '],
  ['two lines', 'two\nlines'],
  ['lines of Unicode', 'two\u2028lines'],
  ['text that turns its direction', 'no \u202eyes'],
  ['too long', 'x'.repeat(501)],
  ['a number', 5],
] as const) {
  test(`a reason that is ${what} is refused`, async (t) => {
    const { plan_id } = await propose();
    const plan = { plan_id, plan_hash: 'ab'.repeat(32) };
    await t.throwsAsync(steps.reject(approver, plan, { reason }), {
      code: 'MALFORMED_INPUT',
      message: /^\/reason: /,
    });
  });
}

test('a reason has 500 characters of any script', async (t) => {
  const reason = '🛑'.repeat(499).concat('é');
  t.is((await steps.reject(approver, await propose(), { reason })).rejected.reason, reason);
});

for (const [rival, end] of [
  ['approval', steps.approve],
  ['withdrawal', (plan: PlanRef) => steps.withdraw(approver, plan)],
  ['rejection', (plan: PlanRef) => steps.reject(approver, plan)],
] as const) {
  test(`of a rejection and another ${rival} at once, one is stored`, async (t) => {
    const rejecter = await addApprover();
    for (let round = 0; round < 5; round += 1) {
      const plan = await propose({ approvals: rival === 'withdrawal' ? 2 : 1 });
      if (rival === 'withdrawal') await steps.approve(plan);
      const both = [() => steps.reject(rejecter, plan), () => end(plan)];
      const sent = await Promise.allSettled((round % 2 === 0 ? both : both.toReversed()).map((send) => send()));
      const won = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value.state] : []));
      const codes = sent.flatMap((each) => (each.status === 'rejected' ? [Object(each.reason).code] : []));
      t.deepEqual([codes, won], [['PLAN_CLOSED'], [await steps.planState(plan)]]);
    }
  });
}
