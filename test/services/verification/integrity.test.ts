import test from 'ava';
import { sql } from 'kysely';
import { importTools } from '../../../services/verification/catalogue/operator-tools.ts';
import { readTool } from '../../../services/verification/catalogue/tool-document.ts';
import { MAX_COUNTED_ARTIFACTS } from '../../../services/verification/contract/arguments.ts';
import { inTenant } from '../../../services/verification/tenants/transaction.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { REFUND_TOOL } from '../../models/catalogued.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';
import {
  createSteps,
  type Done,
  doneAt,
  type Execution,
  PAY_ONLY,
  type PlanRef,
  receiptFor,
  refund,
  refused,
  refuted,
} from './steps.ts';
import { useVerificationProcess } from './verification-process.ts';

const verification = await useVerificationProcess();
const callers = await verification.addTenant('integrity');
const steps = createSteps(verification.service, callers);
test.after.always(() => verification.stop());

/** Records an execution, by default under a new plan. */
const executed = async (actions: readonly Done[], plan?: PlanRef) =>
  steps.run(plan ?? (await steps.approved()), actions);

// The identity of an act

const [ORDER, REFUND] = REFUND_PLAN.tools;
const [LOOK, PAY] = REFUND_PLAN.steps;

const LOOKALIKES = ['Pay.Refund', 'pay_refund', 'pay..refund', 'pay.refund.', '.pay.refund', 'payrefund', 'pay.refnud'];
for (const name of LOOKALIKES) {
  test(`the name ${name} can be mistaken for a listed tool, and is refused`, async (t) => {
    const plan = { tools: [ORDER, { ...REFUND, name }], steps: [LOOK, { ...PAY, tool: `${name}@2.1.0` }] };
    await refused(t, steps.create(plan), 'TOOL_NAME_CONFUSABLE', /^\/plan\/tools\/1\/name: /);
  });
}

/** A payment by another tool. */
const payBy = (tool: string, identity: string) => ({ ...pay('80.00', '0.00', identity), tool });

test('an identity is recorded once, also if the operator then describes a tool whose name can be mistaken for the one before', async (t) => {
  const named = (name: string) => ({ ...REFUND_TOOL, name });
  const planBy = (name: string) =>
    steps.approved({ ...PAY_ONLY, tools: [named(name)], steps: [{ ...PAY_ONLY.steps[0], tool: `${name}@2.1.0` }] });
  await executed([payBy('swift.out', 'folded')], await planBy('swift.out'));
  await verification.withDatabase('owner', (database) =>
    importTools(database, {
      tools: [readTool(named('Swift_Out'), '')],
      tenantId: undefined,
      by: { operator: 'test', reason: 'a test' },
    }),
  );
  await refuted(t, executed([payBy('Swift_Out', 'folded')], await planBy('Swift_Out')), 'IDENTITY_REUSED');
});

const twoPayments = (name: string) => [look, pay('50.00', '30.00', `${name}-1`), pay('30.00', '0.00', `${name}-2`)];

test('a receipt in another JSON spelling is not evidence for a second action', async (t) => {
  const execution = await executed(twoPayments('rewritten'));
  await steps.submit(execution, [receiptFor(execution, 1, '{"amount":"50.00","id":"r\u00e9","tax":8.0}')]);
  const rewritten = [
    '{"amount":"50.00","id":"r\u00e9","tax":8.0}',
    ' {"amount":"50.00",\n"id":"r\u00e9","tax":8.0}',
    '{"id":"r\u00e9","amount":"50.00","tax":8.0}',
    '{"amount":"50.00","id":"r\\u00e9","tax":8.0}',
    '{"amount":"50.00","id":"r\u00e9","tax":0.80e1}',
  ];
  for (const text of rewritten) {
    await refused(t, steps.submit(execution, [receiptFor(execution, 2, text)]), 'EVIDENCE_REUSED');
  }
  await steps.submit(execution, [receiptFor(execution, 2, '{"amount":"30.00","id":"r\u00e9","tax":8.0}')]);
});

// Replacement of evidence

const receipt = (amount: string, id: string) => JSON.stringify({ amount, id });

test('a run is proven after its wrong receipt is replaced, and the old receipt is kept', async (t) => {
  const execution = await executed(refund('mended'));
  const wrong = await steps.evidence(execution, { amount: '79.00', id: 'mended' });
  const first = await steps.verify(execution);
  t.is(first.verdicts.evidence.verdict, 'violated');
  const old = defined(wrong.artifacts[0]);
  const right = receiptFor(execution, 1, receipt('80.00', 'mended'));
  await refused(t, steps.submit(execution, [right]), 'EVIDENCE_REJECTED');
  const { artifacts } = await steps.submit(execution, [{ ...right, replaces: old.artifact_id }]);
  t.is((await steps.verify(execution)).state, 'verified');
  const added = defined(artifacts[0]);
  t.like((await steps.readExecution(execution)).artifacts, [
    { artifact_id: old.artifact_id, replaces: null, replaced_by: added.artifact_id },
    { artifact_id: added.artifact_id, replaces: old.artifact_id, replaced_by: null },
  ]);
  t.is(await steps.readArtifact(execution, old.artifact_id), receipt('79.00', 'mended'));
  // The first verification can still be reproduced: its script has the artifact that counted then.
  t.regex(await steps.readScript(first), /assert/);
  const late = { ...receiptFor(execution, 1, receipt('81.00', 'mended')), replaces: added.artifact_id };
  await refused(t, steps.submit(execution, [late]), 'EXECUTION_CLOSED');
});

test('one call corrects two receipts that were swapped', async (t) => {
  const execution = await executed(twoPayments('swapped'));
  const [first, second] = [receipt('50.00', 'swapped-1'), receipt('30.00', 'swapped-2')];
  const { artifacts } = await steps.submit(execution, [
    receiptFor(execution, 1, second),
    receiptFor(execution, 2, first),
  ]);
  t.is((await steps.verify(execution)).verdicts.evidence.verdict, 'violated');
  await steps.submit(execution, [
    { ...receiptFor(execution, 1, first), replaces: defined(artifacts[0]).artifact_id },
    { ...receiptFor(execution, 2, second), replaces: defined(artifacts[1]).artifact_id },
  ]);
  t.is((await steps.verify(execution)).state, 'verified');
});

test('an artifact is replaced once, and only by an artifact of its own execution', async (t) => {
  const [execution, other] = [await executed(refund('own')), await executed(refund('other'))];
  const { artifacts } = await steps.evidence(execution, { amount: '1.00', id: 'own' });
  const elsewhere = defined((await steps.evidence(other, { amount: '1.00', id: 'other' })).artifacts[0]).artifact_id;
  const replaces = defined(artifacts[0]).artifact_id;
  const replacement = (amount: string) => receiptFor(execution, 1, receipt(amount, 'own'));
  const submit = (...wrong: readonly object[]) => steps.submit(execution, wrong);
  const path = /^\/artifacts\/\d\/replaces: /;
  for (const unknown of [elsewhere, execution.execution_id]) {
    await refused(t, submit({ ...replacement('2.00'), replaces: unknown }), 'EVIDENCE_REJECTED', path);
  }
  const twice = [replacement('2.00'), replacement('3.00')].map((each) => ({ ...each, replaces }));
  await refused(t, submit(...twice), 'EVIDENCE_REJECTED', path);
  await submit({ ...replacement('2.00'), replaces });
  await refused(t, submit({ ...replacement('3.00'), replaces }), 'EVIDENCE_REJECTED', path);
});

test('replaced bytes may be evidence for another action, and current bytes may not', async (t) => {
  const [execution, other] = [await executed(refund('freed')), await executed(refund('taker'))];
  const text = receipt('5.00', 'shared');
  const { artifacts } = await steps.submit(execution, [receiptFor(execution, 1, text)]);
  await refused(t, steps.submit(other, [receiptFor(other, 1, text)]), 'EVIDENCE_REUSED');
  const replaces = defined(artifacts[0]).artifact_id;
  await steps.submit(execution, [{ ...receiptFor(execution, 1, receipt('80.00', 'freed')), replaces }]);
  t.is((await steps.submit(other, [receiptFor(other, 1, text)])).state, 'evidence_submitted');
});

test("the service's role cannot change which evidence counts once an execution is closed", async (t) => {
  const execution = await executed(refund('sealed'));
  await steps.evidence(execution, { amount: '80.00', id: 'sealed' });
  t.is((await steps.verify(execution)).state, 'verified');
  const changed = await verification.withDatabase('service', (database) =>
    inTenant(database, callers.tenantId, (transaction) =>
      transaction
        .updateTable('verification.artifact')
        .set({ is_current: false })
        .where('execution_id', '=', execution.execution_id)
        .executeTakeFirstOrThrow(),
    ),
  );
  t.is(changed.numUpdatedRows, 0n);
});

const [PAY_STEP] = PAY_ONLY.steps;
/** A plan that takes any twenty receipts for one payment. */
const MANY_RECEIPTS = {
  ...PAY_ONLY,
  steps: [{ ...PAY_STEP, evidence: [{ ...PAY_STEP?.evidence[0], max: 20, reads: {}, binds: [] }] }],
};

test('two submissions of the same artifacts in opposite orders do not deadlock', async (t) => {
  const plan = await steps.approved(MANY_RECEIPTS);
  const one = await executed([pay('80.00', '0.00', 'forward')], plan);
  const other = await executed([pay('80.00', '0.00', 'backward')], plan);
  const texts = Array.from({ length: 20 }, (_, index) => receipt(`${index}.00`, 'crossed'));
  const ended = await Promise.allSettled([
    steps.submit(
      one,
      texts.map((text) => receiptFor(one, 0, text)),
    ),
    steps.submit(
      other,
      texts.toReversed().map((text) => receiptFor(other, 0, text)),
    ),
  ]);
  t.is(ended.filter(({ status }) => status === 'fulfilled').length, 1);
  const failure = ended.find((each) => each.status === 'rejected');
  t.like(failure?.reason, { code: 'EVIDENCE_REUSED' });
});

test('answers have artifacts in the order of the request', async (t) => {
  const execution = await executed([pay('80.00', '0.00', 'ordered')], await steps.approved(MANY_RECEIPTS));
  const wanted = Array.from({ length: 8 }, (_, index) => receiptFor(execution, 0, receipt(`${index}.00`, 'ordered')));
  const { artifacts } = await steps.submit(execution, wanted);
  const hashes = wanted.map(({ sha256 }) => ({ sha256 }));
  t.like(artifacts, hashes);
  t.like((await steps.readExecution(execution)).artifacts, hashes);
});

test('an execution has at most 4096 current artifacts', async (t) => {
  const execution = await executed([pay('80.00', '0.00', 'crowded')], await steps.approved(MANY_RECEIPTS));
  await verification.withDatabase('service', (database) =>
    inTenant(database, callers.tenantId, (transaction) =>
      sql`INSERT INTO verification.artifact
          (tenant_id, artifact_id, execution_id, action_id, kind, media_type, sha256, content)
        SELECT ${callers.tenantId}, gen_random_uuid(), ${execution.execution_id}, ${defined(execution.actions[0]).action_id},
          'many', 'text/plain', encode(sha256(convert_to('crowded ' || number, 'UTF8')), 'hex'), ''
        FROM generate_series(2, ${MAX_COUNTED_ARTIFACTS}::int) AS number`.execute(transaction),
    ),
  );
  const submit = (text: string, replaces?: string) =>
    steps.submit(execution, [{ ...receiptFor(execution, 0, receipt(text, 'crowded')), replaces }]);
  const { artifacts } = await submit('1.00');
  await refused(t, submit('2.00'), 'EVIDENCE_REJECTED', /^\/artifacts: would make more than 4096 artifacts/);
  t.is((await submit('2.00', defined(artifacts[0]).artifact_id)).state, 'evidence_submitted');
});

// Owners

const stepsOf = async (group?: string) =>
  createSteps(verification.service, { ...callers, agent: await verification.addAgent(callers.tenantId, group) });

test('another agent key writes to no execution or check, and may read them and execute the plan', async (t) => {
  const other = await stepsOf();
  const plan = await steps.approved({ max_executions: 2 });
  const actions = refund();
  const checks = await steps.checks(plan, actions);
  await refused(t, other.execute(plan, checks, doneAt(actions)), 'KEY_NOT_OWNER');
  const execution = await steps.execute(plan, checks, doneAt(actions));
  const wrong = { amount: '1.00', id: 'squatter' };
  await refused(t, other.evidence(execution, wrong), 'KEY_NOT_OWNER');
  await refused(t, other.verify(execution), 'KEY_NOT_OWNER');
  await refused(t, other.checkRun(execution), 'KEY_NOT_OWNER');
  t.is((await other.readExecution(execution)).state, 'recorded');
  const own = refund();
  const second = await other.execute(plan, await other.checks(plan, own), doneAt(own));
  t.is(second.state, 'recorded');
  await refused(t, steps.evidence(second, wrong), 'KEY_NOT_OWNER');
});

test('keys of one group share their checks and executions', async (t) => {
  const [one, two] = [await stepsOf('refunds'), await stepsOf('refunds')];
  const plan = await steps.approved();
  const actions = refund('grouped');
  const execution = await two.execute(plan, await one.checks(plan, actions), doneAt(actions));
  await one.evidence(execution, { amount: '80.00', id: 'grouped' });
  t.is((await two.verify(execution)).state, 'verified');
});

test('a new key in the group of an earlier key continues the work of that key', async (t) => {
  const execution = await executed(refund('rotated'));
  const successor = await stepsOf(callers.agent.keyId);
  await successor.evidence(execution, { amount: '80.00', id: 'rotated' });
  t.is((await successor.verify(execution)).state, 'verified');
});

test('another group of keys never gets the answer to a write under the same idempotency key', async (t) => {
  const [one, two, other] = [await stepsOf('refunds'), await stepsOf('refunds'), await stepsOf()];
  const plan = await steps.approved();
  const actions = doneAt(refund());
  const checks = await one.checks(plan, actions);
  const { execution_id } = await one.execute(plan, checks, actions, 'shared-key');
  t.is((await two.execute(plan, checks, actions, 'shared-key')).execution_id, execution_id);
  await refused(t, other.execute(plan, checks, actions, 'shared-key'), 'IDEMPOTENCY_KEY_REUSED');
});

// The order of the checks

test('checks of a draft are previews, which admit no execution after the plan is approved', async (t) => {
  const plan = await steps.create();
  const actions = refund();
  const early = await steps.check('plan_alignment', plan, actions);
  t.like(early, { preview: true, result: { verdict: 'satisfied' } });
  const previews = await steps.checks(plan, actions);
  await steps.approve(plan);
  const checks = await steps.checks(plan, actions);
  const { alignment_check_id, constraints_check_id } = previews;
  for (const some of [previews, { ...checks, alignment_check_id }, { ...checks, constraints_check_id }]) {
    await refused(t, steps.execute(plan, some, doneAt(actions)), 'STEP_OUT_OF_ORDER', /preview|before/);
  }
  t.false((await steps.check('constraints', plan, actions)).preview);
  t.is((await steps.execute(plan, checks, doneAt(actions))).state, 'recorded');
});

test('a check of constraints that came before the check of alignment admits no execution', async (t) => {
  const plan = await steps.approved();
  const actions = refund();
  const { check_id: constraints_check_id } = await steps.check('constraints', plan, actions);
  const { check_id: alignment_check_id } = await steps.check('plan_alignment', plan, actions);
  const reversed = { alignment_check_id, constraints_check_id };
  await refused(t, steps.execute(plan, reversed, doneAt(actions)), 'STEP_OUT_OF_ORDER', /before constraints/);
  const again = (await steps.check('constraints', plan, actions)).check_id;
  const execution: Execution = await steps.execute(
    plan,
    { alignment_check_id, constraints_check_id: again },
    doneAt(actions),
  );
  t.is(execution.state, 'recorded');
});
