import { randomUUID } from 'node:crypto';
import test from 'ava';
import { type Caller, Role } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';
import { canonicalBytes } from '../../../../services/verification/proof/digests.ts';
import { issueKey, revokeKey } from '../../../../services/verification/tenants/keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { CLOCK_TOLERANCE, formatInstant, parseInstant } from '../../../../workers/exact/instants.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import { createCatalogueSteps } from '../catalogue/catalogue-steps.ts';
import { daily, reader, transfer } from '../catalogue/tools.ts';
import { type PlanRef, refuted } from '../steps.ts';
import { type Callers, useVerificationProcess } from '../verification-process.ts';
import { invoices, payment, paymentPlan, toLines } from './payment-plan.ts';
import { createPlanSteps } from './plan-steps.ts';

let tenants = 0;
const verification = await useVerificationProcess();
const catalogue = createCatalogueSteps(verification.service);
test.after.always(() => verification.stop());

const addApprover = ({ tenantId }: Callers, group?: string): Promise<Caller> =>
  verification.withDatabase('owner', async (database) => {
    const { keyId } = await issueKey(database, tenantId, 'approver', group === undefined ? {} : { group });
    return { tenantId, keyId, role: Role.ROLE_APPROVER, scopes: [], keyGroup: group ?? keyId };
  });

/** A tenant with a described transfer and a table of invoices. */
async function prepare(count = 3) {
  tenants += 1;
  const callers = await verification.addTenant(`format-2-${tenants}`);
  const tool = await catalogue.describe(callers.approver, transfer({ limits: [daily({ most: '50000.00' })] }));
  const rows = invoices(count);
  await catalogue.upload(callers.agent, toLines(rows));
  const steps = createPlanSteps(verification.service, callers.agent);
  return { callers, tool, rows, steps, finance: await addApprover(callers, 'finance') };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function approved({ callers, tool, rows, steps, finance }: Prepared, changes: object = {}) {
  const plan = await steps.create(paymentPlan(rows, tool, changes));
  await steps.approve(callers.approver, plan);
  await steps.approve(finance, plan);
  return plan;
}

test('a plan is approved when as many distinct approvers have approved as it needs', async (t) => {
  const { callers, tool, rows, steps, finance } = await prepare();
  const plan = await steps.create(paymentPlan(rows, tool));
  const first = await steps.approve(callers.approver, plan);
  t.like(first, { state: 'draft', approval: null, approvals: { needed: 2 } });
  t.deepEqual(
    first.approvals.given.map(({ by, group }) => [by, group]),
    [[callers.approver.keyId, callers.approver.keyId]],
  );
  await t.throwsAsync(steps.approve(callers.approver, plan), { code: 'APPROVAL_NOT_ALLOWED' });
  t.is((await steps.check('plan_alignment', plan, [payment(defined(rows[0]))])).preview, true);
  await t.throwsAsync(steps.record(plan, [payment(defined(rows[0]))]), { code: 'PLAN_NOT_APPROVED' });
  const second = await steps.approve(finance, plan);
  const [, last] = second.approvals.given;
  t.like(second, { state: 'approved', approval: { by: finance.keyId, at: defined(last).at } });
  t.deepEqual((await steps.read(plan)).approvals, second.approvals);
});

test('an approved plan takes more approvals until it closes, and they count for runs that begin later', async (t) => {
  const { callers, tool, rows, steps, finance } = await prepare();
  const byTwo = ['>=', ['run', 'approvals'], ['int', '2']];
  const constraints = [{ id: 'by_two', expr: byTwo }];
  const plan = await steps.create(paymentPlan(rows, tool, { approvals: 1, max_executions: 2, constraints }));
  await steps.approve(callers.approver, plan);
  const approvedAt = parseInstant(defined((await steps.read(plan)).approval ?? undefined).at, '');
  // As early as the tolerance of clocks allows.
  const began = formatInstant(approvedAt - CLOCK_TOLERANCE + 1000n);
  const done = rows.map(payment).map((action) => ({ ...action, started_at: began, ended_at: began }));
  t.is((await steps.check('constraints', plan, done)).result.verdict, 'violated');
  await until(() => BigInt(Date.now()) * 1000n > approvedAt + 100_000n);
  const after = await steps.approve(finance, plan);
  t.is(after.state, 'approved');
  t.is(after.approvals.given.length, 2);
  t.deepEqual(after.approval, (await steps.read(plan)).approval);
  await t.throwsAsync(steps.approve(finance, plan), { code: 'APPROVAL_NOT_ALLOWED' });
  t.is((await steps.check('constraints', plan, done)).result.verdict, 'satisfied');
  // These acts began so long before the second approval that it does not count for them.
  const early = await steps.record(plan, done);
  await steps.receipts(early, done);
  const refuted = await steps.verify(early.execution_id);
  t.like(refuted, { state: 'refuted', verdicts: { constraints: { verdict: 'violated' } } });
  const again = rows.map(payment);
  const late = await steps.record(plan, again);
  await steps.receipts(late, again);
  const verified = await steps.verify(late.execution_id);
  t.is(verified.state, 'verified', JSON.stringify(verified.verdicts));
  const files = await steps.download(late.execution_id, defined(verified.proof_id ?? undefined));
  t.like(await verifyProof(files), { outcome: 'valid', areRecordsVerified: true });
});

test('a plan of which the successor is approved takes no approvals', async (t) => {
  const { callers, tool, rows, steps, finance } = await prepare();
  const plan = await steps.create(paymentPlan(rows, tool, { approvals: 1 }));
  await steps.approve(callers.approver, plan);
  const next = await steps.create(paymentPlan(rows, tool, { approvals: 1, supersedes: plan.plan_id }));
  await steps.approve(callers.approver, next);
  await t.throwsAsync(steps.approve(finance, plan), { code: 'PLAN_CLOSED' });
});

test('keys of one group are one approver, and the group of the proposer is none', async (t) => {
  const { callers, tool, rows, finance } = await prepare();
  const agent = await verification.addAgent(callers.tenantId, 'sales');
  const steps = createPlanSteps(verification.service, agent);
  const plan = await steps.create(paymentPlan(rows, tool));
  await steps.approve(finance, plan);
  await t.throwsAsync(steps.approve(await addApprover(callers, 'finance'), plan), { code: 'APPROVAL_NOT_ALLOWED' });
  await t.throwsAsync(steps.approve(await addApprover(callers, 'sales'), plan), { code: 'APPROVAL_NOT_ALLOWED' });
  t.is((await steps.read(plan)).state, 'draft');
  t.is((await steps.approve(callers.approver, plan)).state, 'approved');
});

test('concurrent approvals are all counted, and the plan that is superseded stays open until the last', async (t) => {
  const prepared = await prepare();
  const { callers, tool, rows, steps } = prepared;
  const before = await approved(prepared);
  const plan = await steps.create(paymentPlan(rows, tool, { approvals: 5, supersedes: before.plan_id }));
  const approvers = await Promise.all(Array.from({ length: 5 }, () => addApprover(callers)));
  const [first, ...others] = approvers;
  await steps.approve(defined(first), plan);
  t.is((await steps.read(before)).state, 'approved');
  const answers = await Promise.all(others.map((approver) => steps.approve(approver, plan)));
  t.is(answers.filter(({ state }) => state === 'approved').length, 1);
  const { state, approvals } = await steps.read(plan);
  t.is(state, 'approved');
  t.is(new Set(approvals.given.map(({ by }) => by)).size, 5);
  t.is((await steps.read(before)).state, 'superseded');
});

test('an approval can be withdrawn, which ends the plan, and what was recorded before is verified', async (t) => {
  const prepared = await prepare();
  const { callers, rows, steps, finance } = prepared;
  const plan = await approved(prepared, { max_executions: 3 });
  const done = [payment(defined(rows[0]))];
  const recorded = await steps.record(plan, done);
  const colleague = await addApprover(callers, 'finance');
  for (const stranger of [callers.agent, await addApprover(callers)]) {
    await t.throwsAsync(steps.withdraw(stranger, plan), { code: 'APPROVAL_NOT_ALLOWED' });
  }
  const wrong = { ...plan, plan_hash: 'ab'.repeat(32) };
  await t.throwsAsync(steps.withdraw(finance, wrong), { code: 'PLAN_HASH_MISMATCH' });
  const key = randomUUID();
  const answer = await steps.withdraw(colleague, plan, key);
  t.like(answer, { state: 'withdrawn', approvals: { needed: 2 }, withdrawn: { by: colleague.keyId } });
  t.is(answer.approvals.given.length, 2);
  t.deepEqual(await steps.withdraw(colleague, plan, key), answer);
  t.like(await steps.read(plan), { state: 'withdrawn', withdrawn: answer.withdrawn });
  await t.throwsAsync(steps.withdraw(finance, plan), { code: 'PLAN_CLOSED' });
  await t.throwsAsync(steps.approve(await addApprover(callers), plan), { code: 'PLAN_CLOSED' });
  const next = payment(defined(rows[1]));
  await refuted(t, steps.record(plan, [next]), 'PLAN_NOT_APPROVED', /the plan is withdrawn/);
  t.like(await steps.preflight(plan, [], next), {
    decision: 'refuse',
    result: { reasons: [{ code: 'PLAN_NOT_APPROVED' }] },
  });
  await steps.receipts(recorded, done);
  t.is((await steps.verify(recorded.execution_id)).state, 'verified');
});

test('the only approval of a draft can be withdrawn', async (t) => {
  const { callers, tool, rows, steps, finance } = await prepare();
  const plan = await steps.create(paymentPlan(rows, tool));
  await steps.approve(callers.approver, plan);
  await steps.withdraw(callers.approver, plan);
  await t.throwsAsync(steps.approve(finance, plan), { code: 'PLAN_CLOSED' });
});

test('a key that is revoked ends the plans that it approved, and no others', async (t) => {
  const prepared = await prepare();
  const { callers, tool, rows, steps, finance } = prepared;
  const [plan, draft] = [await approved(prepared), await steps.create(paymentPlan(rows, tool))];
  const other = await steps.create(paymentPlan(rows, tool, { approvals: 1 }));
  await steps.approve(finance, draft);
  await steps.approve(callers.approver, other);
  await verification.withDatabase('owner', (database) => revokeKey(database, finance.keyId));
  t.like(await steps.read(plan), { state: 'withdrawn', withdrawn: { by: finance.keyId } });
  await refuted(t, steps.record(plan, [payment(defined(rows[0]))]), 'PLAN_NOT_APPROVED');
  await t.throwsAsync(steps.approve(callers.approver, draft), { code: 'PLAN_CLOSED' });
  t.is((await steps.read(other)).state, 'approved');
});

test('a plan names descriptions and tables that are stored, by their hashes', async (t) => {
  const { callers, tool, rows, steps } = await prepare();
  const { tables } = paymentPlan(rows, tool);
  const other = 'ab'.repeat(32);
  const refused = async (changes: object, code: string, pointer: string) => {
    const error = await t.throwsAsync(steps.create(paymentPlan(rows, tool, changes)), { code });
    t.true(error.message.startsWith(`${pointer}: `), error.message);
  };
  await refused({ tools: [{ ...toRef(tool), sha256: other }] }, 'UNKNOWN_TOOL', '/plan/tools/0/sha256');
  await refused({ tools: [{ ...toRef(tool), version: '9.0.0' }] }, 'UNKNOWN_TOOL', '/plan/tools/0');
  await refused(
    { tables: { approved: { ...tables.approved, sha256: other } } },
    'UNKNOWN_TABLE',
    '/plan/tables/approved/sha256',
  );
  await refused(
    { tables: { approved: { ...tables.approved, rows: 4 } } },
    'MALFORMED_INPUT',
    '/plan/tables/approved/rows',
  );
  await catalogue.describe(callers.approver, reader());
  const { tool_format: _, state: __, limits: ___, ...inline } = reader();
  await refused({ tools: [toRef(tool), inline] }, 'TOOL_EXISTS', '/plan/tools/1/name');
  await refused(
    { tools: [toRef(tool), { ...inline, name: 'unknown.read' }] },
    'EFFECT_UNDERSTATED',
    '/plan/tools/1/effect',
  );
  await refused(
    { tools: [toRef(tool), { ...inline, name: 'bank_transfer' }] },
    'TOOL_NAME_CONFUSABLE',
    '/plan/tools/1/name',
  );
  const stranger = await prepare();
  await t.throwsAsync(stranger.steps.create(paymentPlan(invoices(2), tool)), { code: 'UNKNOWN_TABLE' });
});

const toRef = ({ name, version, sha256 }: Prepared['tool']) => ({ name, version, sha256 });

test('a run of format 2 is recorded, evidenced and proven, and its records are verified offline', async (t) => {
  const prepared = await prepare();
  const { steps, rows, callers } = prepared;
  const plan = await approved(prepared);
  const done = rows.map(payment);
  t.is((await steps.preflight(plan, done.slice(0, 1), defined(done[1]))).decision, 'allow');
  const execution = await steps.record(plan, done);
  t.is(execution.evidence_required.length, 3);
  t.deepEqual((await steps.receipts(execution, done)).missing, []);
  const verified = await steps.verify(execution.execution_id);
  t.is(verified.state, 'verified', JSON.stringify(verified.verdicts));
  const files = await steps.download(execution.execution_id, defined(verified.proof_id ?? undefined));
  const result = await verifyProof(files);
  t.like(result, { outcome: 'valid', areRecordsVerified: true });
  if (result.outcome !== 'valid') return;
  const { versions, assurance } = result.statement.predicate;
  t.is(versions.engine, 'tollhouse-one-independent-verification-1.6.0');
  t.like(assurance, { recorded: 3, ghost_states: [], reported_times: false });

  const file = JSON.parse(files.records.toString('utf8'));
  t.like(file, { records_format: 2, tools: [transfer({ limits: [daily({ most: '50000.00' })] })] });
  t.deepEqual(
    file.approvals.map(({ group }: { readonly group: string }) => group),
    [callers.approver.keyId, 'finance'],
  );
  const table = Buffer.from(toLines(rows.slice(1))).toString('base64');
  const changes = [
    { approvals: file.approvals.slice(1) },
    { approvals: [{ ...file.approvals[0], group: 'finance' }, file.approvals[1]] },
    { tools: [] },
    { tools: [transfer()] },
    { tables: [] },
    { tables: [{ ...file.tables[0], bytes_base64: table }] },
    { tables: [...file.tables, file.tables[0]] },
    { records_format: 1 },
  ];
  for (const [index, change] of changes.entries()) {
    const records = canonicalBytes({ ...file, ...change });
    t.like(await verifyProof({ ...files, records }), { outcome: 'invalid' }, String(index));
  }
});

test('a run of 1,000 actions is recorded, and evidence for 500 actions is submitted in one call', async (t) => {
  const prepared = await prepare(1000);
  const { steps, rows } = prepared;
  const plan = await approved(prepared);
  const execution = await steps.record(plan, rows.map(payment));
  t.is(execution.actions.length, 1000);
  const half = rows.slice(0, 500).map(payment);
  const other = await steps.record(plan, half);
  t.deepEqual((await steps.receipts(other, half)).missing, []);
  const verified = await steps.verify(other.execution_id);
  t.is(verified.state, 'verified', JSON.stringify(verified.verdicts).slice(0, 2000));
  const files = await steps.download(other.execution_id, defined(verified.proof_id ?? undefined));
  t.like(await verifyProof(files), { outcome: 'valid', areRecordsVerified: true });
});

test('a preflight refuses an action before its window opens, with the time from which it passes, and after it has closed', async (t) => {
  const prepared = await prepare();
  const { tool, rows, steps } = prepared;
  const next = payment(defined(rows[0]));
  const since = ['-', ['started'], ['run', 'approved_at']];
  const windowOf = (operator: string, length: bigint, from: readonly unknown[] = since) => {
    const expr = [operator, from, ['duration', `${length}`]];
    const [step] = paymentPlan(rows, tool).steps;
    return { steps: [{ ...step, where: [{ id: 'window', expr }] }] };
  };
  const closed = await steps.preflight(await approved(prepared, windowOf('<=', 0n)), [], next);
  t.like(closed, { decision: 'refuse', result: { verdict: 'violated', reasons: [{ code: 'CONDITION_BROKEN' }] } });
  const plan = await approved(prepared, windowOf('>=', 86_400_000_000n));
  const early = await steps.preflight(plan, [], next);
  t.like(early, { decision: 'refuse', result: { verdict: 'satisfied', reasons: [{ code: 'TOO_EARLY' }] } });
  const { at } = defined((await steps.read(plan)).approval ?? undefined);
  // The first whole millisecond that is not before it.
  const later = Date.parse(at) + 86_400_000 + (at.endsWith('000Z') ? 0 : 1);
  const opens = new Date(later).toISOString().slice(0, -1);
  t.true(early.result.reasons[0]?.message.includes(`from ${opens}000Z on`), early.result.reasons[0]?.message);
  const half = ['duration', '43200000000'];
  const unnamed = await approved(prepared, windowOf('>=', 43_200_000_000n, ['-', since, half]));
  const untold = await steps.preflight(unnamed, [], next);
  t.like(untold, {
    decision: 'refuse',
    result: { reasons: [{ code: 'TOO_EARLY', message: 'a rule of the plan does not let the action start yet' }] },
  });
});

test('payees are compared with the plan that is replaced, once it was approved, else with the newest proven one', async (t) => {
  const { callers, tool, rows, steps } = await prepare();
  const changes = { approvals: 1, constraints: [] };
  const comparedOf = async ({ plan_id }: PlanRef, caller = callers.reader) => {
    const { answer } = await verification.service.ask(
      'explainPlan',
      { caller, params: { plan_id } },
      { timeoutMs: HANG_MS },
    );
    return /## Payees\\n\\n(There is no earlier plan|Compared with the plan `[^`]*`, which|Compared with the plan `[^`]*`, the newest)/.exec(
      answer,
    )?.[1];
  };
  const prove = async (plan: PlanRef) => {
    await steps.approve(callers.approver, plan);
    const done = rows.map(payment);
    const execution = await steps.record(plan, done);
    await steps.receipts(execution, done);
    t.is((await steps.verify(execution.execution_id)).state, 'verified');
  };
  const first = await steps.create(paymentPlan(rows, tool, changes));
  const second = await steps.create(paymentPlan(rows, tool, changes));
  const third = await steps.create(paymentPlan(rows, tool, changes));
  t.is(await comparedOf(third), 'There is no earlier plan');
  await prove(first);
  t.is(await comparedOf(first), 'There is no earlier plan');
  t.is(await comparedOf(third), `Compared with the plan \`${first.plan_id}\`, the newest`);
  await prove(second);
  t.is(await comparedOf(third), `Compared with the plan \`${second.plan_id}\`, the newest`);
  const next = await steps.create(paymentPlan(rows, tool, { ...changes, supersedes: first.plan_id }));
  t.is(await comparedOf(next), `Compared with the plan \`${first.plan_id}\`, which`);
  await steps.withdraw(callers.approver, first);
  t.is(await comparedOf(next), `Compared with the plan \`${second.plan_id}\`, the newest`);
  // An agent writes drafts as it likes.
  const ofDraft = await steps.create(paymentPlan(rows, tool, { ...changes, supersedes: third.plan_id }));
  t.is(await comparedOf(ofDraft), `Compared with the plan \`${second.plan_id}\`, the newest`);
  const [step] = paymentPlan(rows, tool).steps;
  const others = await steps.create(
    paymentPlan(rows, tool, { ...changes, steps: [{ ...step, step_id: 'other' }], constraints: [] }),
  );
  t.is(await comparedOf(others), 'There is no earlier plan');
  const stranger = await prepare();
  const theirs = await stranger.steps.create(paymentPlan(rows, stranger.tool, changes));
  t.is(await comparedOf(theirs, stranger.callers.reader), 'There is no earlier plan');
});
