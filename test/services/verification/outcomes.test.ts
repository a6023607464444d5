import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { inTenant } from '../../../services/verification/tenants/transaction.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { look, pay } from '../../models/refund-run.ts';
import {
  createSteps,
  type Done,
  doneAt,
  type Execution,
  type PlanRef,
  receiptFor,
  refund,
  refused,
  refuted,
} from './steps.ts';
import { useVerificationProcess } from './verification-process.ts';

const verification = await useVerificationProcess();
const callers = await verification.addTenant('outcomes');
const steps = createSteps(verification.service, callers);
test.after.always(() => verification.stop());

const sent = ({ response: _, ...action }: ReturnType<typeof pay>, outcome: 'failed' | 'unknown' = 'unknown') => {
  return { ...action, outcome };
};
const idOf = ({ actions }: Execution, seq: number) => defined(actions[seq]).action_id;
const settling = (execution: Execution, response: unknown, seq = 1) => ({
  settled: [{ action_id: idOf(execution, seq), response }],
});

const executed = async (actions: readonly Done[], plan?: PlanRef) =>
  steps.run(plan ?? (await steps.approved()), actions);

const TWO_UNKNOWN = [look, sent(pay('50.00', '30.00')), sent(pay('30.00', '0.00'))];
const PAID = { id: 'settled', left: '0.00' };
const receipt = { amount: '80.00', id: 'settled' };

test('an act that was done after all is settled with its response and evidence, and proven', async (t) => {
  const execution = await executed([look, sent(pay('80.00', '0.00'))]);
  t.deepEqual(execution.evidence_required, []);
  const wrong = steps.submit(execution, [], settling(execution, { id: 'settled' }));
  await refused(t, wrong, 'MALFORMED_INPUT', /^\/actions\/1\/response\/left: is missing/);
  const artifacts = [receiptFor(execution, 1, JSON.stringify(receipt))];
  const once = { ...settling(execution, PAID), idempotencyKey: 'settle-once' };
  const answer = await steps.submit(execution, artifacts, once);
  t.deepEqual(answer.missing, []);
  t.deepEqual(await steps.submit(execution, artifacts, once), answer);
  const read = await steps.readExecution(execution);
  t.like(read.actions[1]?.action, { response: PAID, args: { amount: '80.00' } });
  t.false('outcome' in Object(read.actions[1]?.action));
  t.not(read.execution_hash, execution.execution_hash);
  const { proof_id, verdicts } = await steps.verify(execution);
  t.truthy(proof_id, JSON.stringify(verdicts));
  await refused(t, steps.submit(execution, [], settling(execution, PAID)), 'EXECUTION_CLOSED');
});

test('an execution in which an act has no response is refuted if the act was needed, and nothing of it is lost', async (t) => {
  const failed = { ...sent(pay('80.00', '0.00'), 'failed'), error: '503 from the bank' };
  const execution = await executed([look, failed]);
  const { state, verdicts } = await steps.verify(execution);
  t.is(state, 'refuted');
  t.deepEqual(
    verdicts.plan_alignment.reasons.map(({ path }) => path),
    ['/steps/pay/min'],
  );
  t.like((await steps.readExecution(execution)).actions[1]?.action, { outcome: 'failed', error: '503 from the bank' });
});

test('only an act without a response is settled, and once', async (t) => {
  const execution = await executed([look, sent(pay('80.00', '0.00'))]);
  const refuses = (more: { settled: readonly object[] }, path: string) =>
    refused(t, steps.submit(execution, [], more), 'MALFORMED_INPUT', new RegExp(`^${path}: `));
  await refuses(settling(execution, look.response, 0), '/settled/0/action_id');
  const other = await executed(refund('another'));
  await refuses(settling(other, PAID), '/settled/0/action_id');
  const { settled } = settling(execution, { id: 'once', left: '0.00' });
  await refuses({ settled: [...settled, ...settled] }, '/settled/1/action_id');
  await steps.submit(execution, [], { settled });
  await refuses({ settled }, '/settled/0/action_id');
  await refused(t, steps.submit(execution, []), 'MALFORMED_INPUT');
});

test('an identity is taken when an act is settled, and a settlement with one that was taken changes nothing', async (t) => {
  await executed(refund('taken'));
  const execution = await executed([look, sent(pay('80.00', '0.00'))]);
  const taken = steps.submit(execution, [], settling(execution, { id: 'taken', left: '0.00' }));
  await refused(t, taken, 'IDENTITY_REUSED');
  t.like((await steps.readExecution(execution)).actions[1]?.action, { outcome: 'unknown' });
  await steps.submit(execution, [], settling(execution, { id: 'mine', left: '0.00' }));
  await refuted(t, executed(refund('mine')), 'IDENTITY_REUSED');
});

test('two settlements at once of one act: one is stored', async (t) => {
  const execution = await executed([look, sent(pay('80.00', '0.00'))]);
  const settle = (id: string) => steps.submit(execution, [], settling(execution, { id, left: '0.00' }));
  const results = await Promise.allSettled([settle('first'), settle('second')]);
  t.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const { execution_hash } = await steps.readExecution(execution);
  t.not(execution_hash, execution.execution_hash);
});

test('of two settlements at once that take the same identities in other orders, one is stored', async (t) => {
  for (const pair of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const runs = [await executed(TWO_UNKNOWN), await executed(TWO_UNKNOWN)];
    const settle = (execution: Execution, ids: readonly string[]) => {
      const settled = ids.map((id, at) => settling(execution, { id: `${id}-${pair}`, left: '0.00' }, at + 1).settled);
      return steps.submit(execution, [], { settled: settled.flat() });
    };
    const [first, second] = runs.map((run, at) => settle(run, at === 0 ? ['x', 'y'] : ['y', 'x']));
    const results = await Promise.allSettled([first, second]);
    t.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const failed = results.find(({ status }) => status === 'rejected');
    t.like(failed, { reason: { code: 'IDENTITY_REUSED' } });
  }
});

// What was done beyond what was approved

test('arguments that are not those of the tool are kept as they were sent, and refute the execution', async (t) => {
  const wrong = [
    { order_id: 'A1' },
    { order_id: 'A1', amount: `${'9'.repeat(40)}.00` },
    { order_id: 'A'.repeat(65), amount: '1.00' },
  ];
  const other = { order_id: 'A1', amount: '80.00', note: 'x' };
  for (const args of [...wrong, other]) {
    const plan = await steps.approved();
    const [first, second] = refund(`odd-${JSON.stringify(args).length}`);
    const checks = await steps.checks(plan, [look, pay('80.00', '0.00')]);
    const call = steps.execute(plan, checks, doneAt([defined(first), { ...defined(second), args }]));
    await refuted(t, call, 'MALFORMED_ARGUMENT');
    t.deepEqual((await steps.readExecution(await call)).actions[1]?.action, {
      ...Object((await steps.readExecution(await call)).actions[1]?.action),
      args,
    });
  }
});

test('a refuted execution takes evidence and gets its verdicts, and no proof even if all are satisfied', async (t) => {
  await executed(refund('twice'));
  const execution = await executed(refund('twice'));
  t.is(execution.state, 'refuted');
  const submission = await steps.evidence(execution, { amount: '80.00', id: 'twice', again: true });
  t.like(submission, { state: 'refuted', missing: [] });
  const answer = await steps.verify(execution);
  t.deepEqual(new Set(Object.values(answer.verdicts).map(({ verdict }) => verdict)), new Set(['satisfied']));
  t.like(answer, { state: 'refuted', proof_id: null });
  t.like(await steps.readExecution(execution), { state: 'refuted', refused: execution.refused });
  await refused(t, steps.verify(execution), 'EXECUTION_CLOSED');
  // The store has no proof of it either, whoever writes it.
  const prove = verification.withDatabase('service', (database) =>
    inTenant(database, callers.tenantId, (transaction) =>
      sql`INSERT INTO verification.proof (tenant_id, proof_id, execution_id, log_index, file)
        VALUES (${callers.tenantId}, ${randomUUID()}, ${execution.execution_id}, 9999, '{}')`.execute(transaction),
    ),
  );
  await t.throwsAsync(prove, { message: /row-level security/ });
});

test('an act with an identity that was recorded before is not counted, and one beside it is', async (t) => {
  const plan = await steps.approved({ max_executions: 2 });
  const inTwo = (name: string) => [look, pay('50.00', '30.00', `${name}-1`), pay('30.00', '0.00', `${name}-2`)];
  await executed(inTwo('before'), plan);
  const again = inTwo('after').with(1, pay('50.00', '30.00', 'before-1'));
  await refuted(t, executed(again, plan), 'IDENTITY_REUSED');
  // The identity of the second payment is taken.
  await refuted(t, executed(refund('after-2')), 'IDENTITY_REUSED');
});

test('a plan keeps a hundred refuted executions a day', async (t) => {
  const plan = await steps.approved();
  await executed(refund(), plan);
  for (let turn = 0; turn < 20; turn += 1) {
    const more = await Promise.all(Array.from({ length: 5 }, () => executed(refund(), plan)));
    t.deepEqual(new Set(more.map(({ state }) => state)), new Set(['refuted']));
  }
  await refused(t, executed(refund(), plan), 'TOO_MANY_REFUTED', /100 executions .* the plan allows 1 executions/);
});

test('only the owner settles an act', async (t) => {
  const execution = await executed([look, sent(pay('80.00', '0.00'))]);
  const others = createSteps(verification.service, await verification.addTenant('outcomes-of-another'));
  await refused(t, others.submit(execution, [], settling(execution, PAID)), 'NOT_FOUND');
});

test('an act that says it is done has the hash of one that says nothing, and one that is not has no response', async (t) => {
  const actions = refund('said');
  const plan = await steps.approved({ max_executions: 2 });
  const at = doneAt(actions).map((action) => ({ ...action, outcome: 'done' as const }));
  const said = await steps.execute(plan, await steps.checks(plan, actions), at);
  const { execution_hash, actions: stored } = await steps.readExecution(said);
  t.is(execution_hash, said.execution_hash);
  t.false('outcome' in Object(stored[1]?.action));
  const failed = actions.map((action) => ({ ...action, outcome: 'failed' as const }));
  const message = /^\/actions\/0\/response: belongs to an act that is done/;
  await refused(t, steps.execute(plan, await steps.checks(plan, actions), doneAt(failed)), 'MALFORMED_INPUT', message);
});
