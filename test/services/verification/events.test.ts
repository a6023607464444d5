import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { Role } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { storeEvent } from '../../../services/verification/records/events.ts';
import { issueKey } from '../../../services/verification/tenants/keys.ts';
import { inTenant } from '../../../services/verification/tenants/transaction.ts';
import { look, pay } from '../../models/refund-run.ts';
import { createSteps, LOOK_ONLY, type PlanRef, refund, refused } from './steps.ts';
import { useVerificationProcess } from './verification-process.ts';

const verification = await useVerificationProcess();
const callers = await verification.addTenant('events');
const { tenantId, approver } = callers;
const steps = createSteps(verification.service, callers);
test.after.always(() => verification.stop());

/** The events of a plan, in order. */
const eventsOf = ({ plan_id }: PlanRef) =>
  verification.withDatabase('owner', async (database) => {
    const { rows } = await sql<{ readonly type: string; readonly data: object }>`
      SELECT type, data::json AS data FROM verification.webhook_event
      WHERE tenant_id = ${tenantId} AND data::json ->> 'plan_id' = ${plan_id} ORDER BY event_id`.execute(database);
    return rows.map(({ type, data }) => ({ type, ...data }));
  });
const eventOf = ({ plan_id }: PlanRef, type: string, more: object = {}) => ({
  type,
  plan_id,
  tenant_id: tenantId,
  ...more,
});

test('a proposal, the last approval that a plan needs and a rejection are told once, and nothing that was refused', async (t) => {
  const plan = await steps.create({ ...LOOK_ONLY, approvals: 2 });
  const { keyId } = await verification.withDatabase('owner', (database) => issueKey(database, tenantId, 'approver'));
  await steps.approve(plan);
  t.deepEqual(await eventsOf(plan), [eventOf(plan, 'plan.proposed')]);
  await steps.approve(plan, { tenantId, keyId, role: Role.ROLE_APPROVER, scopes: [], keyGroup: keyId });
  const approved = [eventOf(plan, 'plan.proposed'), eventOf(plan, 'plan.approved')];
  t.deepEqual(await eventsOf(plan), approved);
  await refused(t, steps.approve(plan), 'APPROVAL_NOT_ALLOWED');
  await refused(t, steps.reject(approver, plan), 'PLAN_CLOSED');
  t.deepEqual(await eventsOf(plan), approved);

  const draft = await steps.create(LOOK_ONLY);
  const once = { reason: 'private', idempotencyKey: randomUUID() };
  await steps.reject(approver, draft, once);
  await steps.reject(approver, draft, once);
  t.deepEqual(await eventsOf(draft), [eventOf(draft, 'plan.proposed'), eventOf(draft, 'plan.rejected')]);
});

test('a proof is told, and an execution that is kept and refuted once, with the codes of the reasons', async (t) => {
  const plan = await steps.approved();
  const proven = await steps.run(plan, refund('told'));
  await steps.evidence(proven, { amount: '80.00', id: 'told' });
  const { proof_id } = await steps.verify(proven);
  t.truthy(proof_id);
  const beyond = await steps.run(plan, refund('told'));
  await steps.evidence(beyond, { amount: '80.00', id: 'told', again: true });
  t.is((await steps.verify(beyond)).state, 'refuted');
  t.deepEqual((await eventsOf(plan)).slice(2), [
    eventOf(plan, 'execution.proven', { execution_id: proven.execution_id, proof_id }),
    eventOf(plan, 'execution.refuted', {
      execution_id: beyond.execution_id,
      reasons: ['EXECUTIONS_EXHAUSTED', 'IDENTITY_REUSED'],
    }),
  ]);
});

test('an execution that its verification refutes is told with the codes of what was violated', async (t) => {
  const plan = await steps.approved();
  const { response: _, ...failed } = pay('80.00', '0.00');
  const execution = await steps.run(plan, [look, { ...failed, outcome: 'failed' }]);
  await steps.verify(execution);
  t.deepEqual((await eventsOf(plan)).slice(2), [
    eventOf(plan, 'execution.refuted', {
      execution_id: execution.execution_id,
      reasons: ['TOO_FEW', 'CONSTRAINT_BROKEN'],
    }),
  ]);
});

test('the service adds events of its tenant, and reads none', async (t) => {
  const event = { type: 'plan.proposed', plan_id: randomUUID() } as const;
  await verification.withDatabase('service', async (database) => {
    const read = inTenant(database, tenantId, (transaction) =>
      sql`SELECT FROM verification.webhook_event`.execute(transaction),
    );
    await t.throwsAsync(read, { message: /permission denied/ });
    const write = inTenant(database, tenantId, (transaction) =>
      storeEvent(transaction, { tenantId: randomUUID() }, event),
    );
    await t.throwsAsync(write, { message: /row-level security/ });
  });
});
