import test from 'ava';
import { verifyProof } from '../../../services/verification/offline/verify-proof.ts';
import { nextRun } from '../../../services/verification/records/earlier-runs.ts';
import { findPlan } from '../../../services/verification/records/plan-records.ts';
import { inTenant } from '../../../services/verification/tenants/transaction.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { look, pay } from '../../models/refund-run.ts';
import { asked, type Checks, createSteps, doneAt, type Execution, type PlanRef, receiptFor, refund } from './steps.ts';
import { useVerificationProcess } from './verification-process.ts';

const verification = await useVerificationProcess();
const callers = await verification.addTenant('runs');
const steps = createSteps(verification.service, callers);
test.after.always(() => verification.stop());

const SUM = ['sum', 'pay', 'p', ['arg', 'p', 'amount']];
const budget = (amount: string, more: object = {}) =>
  steps.approved({
    max_executions: 5,
    runs: [{ id: 'budget', expr: ['<=', SUM, ['dec', amount]] }],
    ...more,
  });

async function verified(execution: Execution, identity: string) {
  await steps.evidence(execution, { amount: '80.00', id: identity });
  return steps.verify(execution);
}

test('of two runs that are recorded at once, exactly the second is refuted, and anyone can repeat both verdicts', async (t) => {
  const plan = await budget('100.00');
  const runs = [refund('at-once-1'), refund('at-once-2')];
  // Nothing was recorded when they were checked.
  const checks = [await steps.checks(plan, defined(runs[0])), await steps.checks(plan, defined(runs[1]))];
  const executions = await Promise.all(
    runs.map((actions, index) => steps.execute(plan, defined(checks[index]), doneAt(actions))),
  );
  const answers = await Promise.all(executions.map((each, index) => verified(each, `at-once-${index + 1}`)));
  t.deepEqual(answers.map(({ state }) => state).toSorted(), ['refuted', 'verified']);
  const numbers = await Promise.all(executions.map(async (each) => (await steps.readExecution(each)).run));
  t.deepEqual(
    numbers,
    answers.map(({ state }) => (state === 'verified' ? 1 : 2)),
  );
  const second = defined(answers.find(({ state }) => state === 'refuted'));
  t.deepEqual(second.verdicts.constraints.reasons, [
    {
      code: 'CONTRADICTION',
      path: '/runs/budget',
      message: 'is not met: 160.00 <= 100.00 is false, over action 2 of the run, action 2 of run 1',
    },
  ]);
  const check = await steps.check('constraints', plan, refund());
  t.deepEqual([check.result.verdict, check.result.core], ['violated', ['/runs/budget']]);
  const { decision, result, remaining } = await steps.preflight(plan, doneAt([look]), asked(pay('20.00', '60.00')));
  t.deepEqual([decision, result.core], ['refuse', ['/runs/budget']]);
  t.like(remaining.constraints.at(-1), { id: 'budget' });
});

test('a proof is verified with the acts of the runs before, and not with others', async (t) => {
  const plan = await budget('200.00');
  const first = await steps.run(plan, refund('before'));
  const { proof_id, execution_id } = await verified(await steps.run(plan, refund('after')), 'after');
  const files = await steps.download(execution_id, defined(proof_id ?? undefined));
  t.like(await verifyProof(files), { outcome: 'valid', areRecordsVerified: true });
  const records = JSON.parse(files.records.toString());
  t.deepEqual(
    records.runs.map((run: { execution_id: string }) => run.execution_id),
    [first.execution_id],
  );
  records.runs[0].actions[1].args.amount = '79.00';
  const changed = await verifyProof({ ...files, records: Buffer.from(JSON.stringify(records)) });
  t.like(changed, { outcome: 'invalid', message: 'the records have other hashes than the proof' });
});

test('a run sees what had been settled when it was recorded, and nothing that is settled later', async (t) => {
  const isDone = ['=', ['outcome', 'p'], ['enum', 'done']];
  const plan = await budget('160.00', { runs: [{ id: 'budget', expr: ['<=', [...SUM, isDone], ['dec', '80.00']] }] });
  const { response: _, ...sent } = pay('80.00', '0.00');
  const first = await steps.run(plan, [look, { ...sent, outcome: 'unknown' }]);
  const checks = [await steps.checks(plan, refund()), await steps.checks(plan, refund())];
  const run = (checked: Checks | undefined, identity: string) =>
    steps.execute(plan, defined(checked), doneAt(refund(identity)));
  const before = await run(checks[0], 'sees-unknown');
  const settled = { action_id: defined(first.actions[1]).action_id, response: { id: 'settled-later', left: '0.00' } };
  await steps.submit(first, [receiptFor(first, 1, '{"amount":"80.00","id":"settled-later"}')], { settled: [settled] });
  const after = await run(checks[1], 'sees-done');
  t.like(await verified(before, 'sees-unknown'), { state: 'verified' });
  t.like(await verified(after, 'sees-done'), { state: 'refuted' });
  t.like(await steps.verify(first), { state: 'verified' });
});

test('runs that are too large for rules over them have no number', async (t) => {
  const next = (plan: PlanRef, actions: string) =>
    verification.withDatabase('service', (database) =>
      inTenant(database, callers.tenantId, async (transaction) =>
        nextRun(transaction, defined(await findPlan(transaction, plan.plan_id)), actions),
      ),
    );
  const plan = await budget('200.00');
  t.is(await next(plan, ''), 1);
  await steps.run(plan, refund('large'));
  t.is(await next(plan, ''), 2);
  t.is(await next(plan, ' '.repeat(16 * 1024 * 1024)), null);
  t.is(await next(await steps.approved(), ''), null);
});
