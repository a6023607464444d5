import test from 'ava';
import { sql } from 'kysely';
import { hashPlan } from '../../../../services/verification/records/record-hashes.ts';
import { findRunRecords } from '../../../../services/verification/records/run-records.ts';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { look } from '../../../models/refund-run.ts';
import { asked, createSteps, doneAt, receiptFor, refund } from '../steps.ts';
import { useVerificationProcess } from '../verification-process.ts';

const SETTINGS = { timeoutMs: HANG_MS };
const verification = await useVerificationProcess();
test.after.always(() => verification.stop());

test('a stored plan of format 1 and its executions are read, and nothing is done under them', async (t) => {
  const callers = await verification.addTenant('earlier-format');
  const steps = createSteps(verification.service, callers);
  const present = await steps.approved({ max_executions: 2 });
  const [actions, more] = [refund('earlier'), refund()];
  const execution = await steps.execute(present, await steps.checks(present, actions), doneAt(actions));
  const checks = await steps.checks(present, more);
  const document = { ...Object((await steps.read(present)).plan), plan_format: 1 };
  const plan = { ...present, plan_hash: hashPlan(document) };
  const { execution_id } = execution;
  // No role of the product may change what is stored. To lift that for the owner would lock the tables that other tests use.
  await verification.withDatabase('superuser', (database) =>
    database.transaction().execute(async (transaction) => {
      await sql`UPDATE verification.plan SET document = ${canonicalText(document)}, plan_hash = ${plan.plan_hash}
        WHERE plan_id = ${plan.plan_id}`.execute(transaction);
      const { hashes } = defined(await findRunRecords(transaction, execution_id));
      await sql`UPDATE verification.execution SET execution_hash = ${hashes.execution_hash}
        WHERE execution_id = ${execution_id}`.execute(transaction);
    }),
  );
  t.like(await steps.read(plan), { state: 'approved', plan: { plan_format: 1 }, approvals: { needed: 1 } });
  t.like(await steps.readExecution(execution), { state: 'recorded', missing: [] });
  const { agent: caller, approver } = callers;
  const view = (plan_id: string) => verification.service.ask('explainPlan', { caller, params: { plan_id } }, SETTINGS);
  const records = await verification.service.ask('getRecords', { caller, params: { execution_id } }, SETTINGS);
  t.true(records.answer.includes('"plan_format":1'));
  for (const [what, refused] of Object.entries({
    approve: steps.approve(plan, { ...approver, keyGroup: 'other' }),
    view: view(plan.plan_id),
    check: steps.check('constraints', plan, more),
    'check of a run': steps.checkRun(execution),
    preflight: steps.preflight(plan, [], asked(look)),
    record: steps.execute(plan, checks, doneAt(more)),
    evidence: steps.submit(execution, [receiptFor(execution, 1, '{}')]),
    verify: steps.verify(execution),
  })) {
    await t.throwsAsync(refused, { code: 'PLAN_CLOSED', message: /format 1.*plan_format 2/ }, what);
  }
  const successor = await steps.create({ supersedes: plan.plan_id });
  t.true((await view(successor.plan_id)).answer.includes(successor.plan_hash));
});
