import test from 'ava';
import { sql } from 'kysely';
import { defined } from '../../../workers/exact/defined.ts';
import { until } from '../../kit/until.ts';
import { look, pay } from '../../models/refund-run.ts';
import {
  asked,
  type Checks,
  createSteps,
  doneAt,
  type Execution,
  expiring,
  instant,
  type PlanRef,
  refund,
  refused,
  refuted,
} from './steps.ts';
import { useVerificationProcess } from './verification-process.ts';

const verification = await useVerificationProcess();
const steps = createSteps(verification.service, await verification.addTenant('order'));
test.after.always(() => verification.stop());

/** Records an execution under a new plan. */
async function executed(actions = refund(), times?: (approvedAt: string) => readonly string[]): Promise<Execution> {
  const plan = await steps.approved();
  const at = instant();
  return steps.run(plan, actions, times?.(at));
}

const isIn = (plan: PlanRef, state: string) => async () => (await steps.planState(plan)) === state;

// Approval

test('nothing is executed before the plan is approved', async (t) => {
  const plan = await steps.create();
  const actions = refund();
  const checks = await steps.checks(plan, actions);
  await refused(t, steps.execute(plan, checks, doneAt(actions)), 'PLAN_NOT_APPROVED');
});

test('a plan is approved once by one group', async (t) => {
  const plan = await steps.approved();
  await refused(t, steps.approve(plan), 'APPROVAL_NOT_ALLOWED');
});

test('approving, checking and executing a plan require its hash', async (t) => {
  const plan = await steps.create();
  const other = { ...plan, plan_hash: (await steps.create({ title: 'Another' })).plan_hash };
  await refused(t, steps.approve(other), 'PLAN_HASH_MISMATCH');
  await steps.approve(plan);
  await refused(t, steps.check('plan_alignment', other, refund()), 'PLAN_HASH_MISMATCH');
  const checks = await steps.checks(plan, refund());
  await refused(t, steps.execute(other, checks, doneAt(refund())), 'PLAN_HASH_MISMATCH');
});

test('an expired plan cannot be approved', async (t) => {
  const plan = await expiring(steps);
  await until(isIn(plan, 'expired'));
  await refused(t, steps.approve(plan), 'PLAN_CLOSED');
});

test('what was checked before the plan expired is recorded for some time after it, and nothing else is', async (t) => {
  const [first, second] = [refund(), refund()];
  let checks: Checks | undefined;
  const plan = await expiring(
    { create: (changes) => steps.create({ ...changes, max_executions: 2 }) },
    async (draft) => {
      await steps.approve(draft);
      checks = await steps.checks(draft, first);
      // Checks that came too late are made again under another plan: this one takes no approval.
      if ((await steps.planState(draft)) === 'expired') await steps.approve(draft);
    },
  );
  const times = [instant()];
  await until(isIn(plan, 'expired'));
  const late = await steps.checks(plan, second);
  await refuted(t, steps.execute(plan, late, doneAt(second, times)), 'PLAN_EXPIRED');
  t.is((await steps.execute(plan, defined(checks), doneAt(first, times))).state, 'recorded');
});

test('the approval of its successor closes a plan', async (t) => {
  const [first, second] = [await steps.approved({ max_executions: 2 }), await steps.create()];
  const successor = await steps.create({ supersedes: first.plan_id });
  const unapproved = await steps.create({ supersedes: second.plan_id });
  const done = [refund(), refund()] as const;
  const checks = [await steps.checks(first, done[0]), await steps.checks(first, done[1])] as const;
  await steps.execute(first, checks[0], doneAt(done[0]));
  await steps.approve(successor);
  t.is(await steps.planState(first), 'superseded');
  await refuted(t, steps.execute(first, checks[1], doneAt(done[1])), 'PLAN_NOT_APPROVED', /the plan is superseded/);
  // A draft can be superseded as well.
  await steps.approve(unapproved);
  await refused(t, steps.approve(second), 'PLAN_CLOSED');
});

test('executions that come before the approval of a successor are earlier than it, and later ones are refuted', async (t) => {
  const plan = await steps.approved({ max_executions: 2 });
  const successor = await steps.create({ supersedes: plan.plan_id });
  const runs = [refund(), refund()] as const;
  const [early, late] = [await steps.checks(plan, runs[0]), await steps.checks(plan, runs[1])];
  const calls = await verification.withDatabase('owner', (database) =>
    database.transaction().execute(async (transaction) => {
      // What a recording holds.
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${plan.plan_id}, 20))`.execute(transaction);
      await sql`SELECT FROM verification.approval WHERE plan_id = ${plan.plan_id} FOR UPDATE`.execute(transaction);
      const areWaiting = (count: number) => async () => {
        const { rows } = await sql<{ count: number }>`
          WITH RECURSIVE blocked AS (
            SELECT pg_backend_pid() AS pid UNION
            SELECT waiting.pid FROM pg_locks AS waiting, blocked
            WHERE NOT granted AND blocked.pid = ANY (pg_blocking_pids(waiting.pid)))
          SELECT count(*)::int - 1 AS count FROM blocked`.execute(transaction);
        return rows[0]?.count === count;
      };
      const first = steps.execute(plan, early, doneAt(runs[0]));
      await until(areWaiting(1));
      const approval = steps.approve(successor);
      await until(areWaiting(2));
      const second = steps.execute(plan, late, doneAt(runs[1]));
      await until(areWaiting(3));
      return { settled: Promise.allSettled([first, approval, second]) };
    }),
  );
  const [first, approval, second] = await calls.settled;
  t.like(second, { status: 'fulfilled', value: { state: 'refuted', refused: [{ code: 'PLAN_NOT_APPROVED' }] } });
  if (first.status === 'rejected' || approval.status === 'rejected') return t.fail('the first two are not refused');
  t.true(first.value.received_at < (approval.value.approval?.at ?? ''));
});

// Checks

test('an unsatisfied check allows no execution', async (t) => {
  const plan = await steps.approved();
  const [good, half] = [refund(), refund().slice(0, 1)];
  const checks = await steps.checks(plan, good);
  const bad = await steps.checks(plan, half);
  await refused(
    t,
    steps.execute(plan, { ...checks, alignment_check_id: bad.alignment_check_id }, doneAt(half)),
    'STEP_OUT_OF_ORDER',
  );
  await refused(
    t,
    steps.execute(plan, { ...checks, constraints_check_id: bad.constraints_check_id }, doneAt(half)),
    'STEP_OUT_OF_ORDER',
  );
});

test('a check counts only for its own kind', async (t) => {
  const plan = await steps.approved();
  const { alignment_check_id, constraints_check_id } = await steps.checks(plan, refund());
  for (const [one, other] of [
    [alignment_check_id, alignment_check_id],
    [constraints_check_id, constraints_check_id],
    [constraints_check_id, alignment_check_id],
  ] as const) {
    const checks = { alignment_check_id: one, constraints_check_id: other };
    await refused(t, steps.execute(plan, checks, doneAt(refund())), 'STEP_OUT_OF_ORDER');
  }
});

test('a check counts only for its own plan', async (t) => {
  const [plan, other] = [await steps.approved(), await steps.approved()];
  const checks = await steps.checks(other, refund());
  await refused(t, steps.execute(plan, checks, doneAt(refund())), 'STEP_OUT_OF_ORDER');
});

test('both checks of an execution must have the same actions', async (t) => {
  const plan = await steps.approved();
  const inTwo = [...refund().slice(0, 1), pay('50.00', '30.00', 'a'), pay('30.00', '0.00', 'b')];
  const [one, other] = [await steps.checks(plan, refund()), await steps.checks(plan, inTwo)];
  const checks = { ...one, constraints_check_id: other.constraints_check_id };
  await refused(t, steps.execute(plan, checks, doneAt(refund())), 'STEP_OUT_OF_ORDER');
});

test('an unknown check or a check of a recorded execution allows no execution', async (t) => {
  const plan = await steps.approved();
  const checks = await steps.checks(plan, refund());
  const execution = await executed();
  for (const alignment_check_id of [plan.plan_id, (await steps.checkRun(execution)).check_id]) {
    const other = { ...checks, alignment_check_id };
    await refused(t, steps.execute(plan, other, doneAt(refund())), 'STEP_OUT_OF_ORDER');
  }
});

test('a check allows one execution', async (t) => {
  const plan = await steps.approved({ max_executions: 3 });
  const [checks, more] = [await steps.checks(plan, refund()), await steps.checks(plan, refund())];
  await steps.execute(plan, checks, doneAt(refund()));
  for (const used of [
    checks,
    { ...checks, alignment_check_id: more.alignment_check_id },
    { ...checks, constraints_check_id: more.constraints_check_id },
  ]) {
    await refused(t, steps.execute(plan, used, doneAt(refund())), 'STEP_OUT_OF_ORDER');
  }
  t.is((await steps.execute(plan, more, doneAt(refund()))).state, 'recorded');
});

test('a plan is executed at most max_executions times', async (t) => {
  const plan = await steps.approved({ max_executions: 2 });
  const execute = () => steps.run(plan, refund());
  await execute();
  await execute();
  await refuted(t, execute(), 'EXECUTIONS_EXHAUSTED');
  t.is((await steps.read(plan)).executions, 2);
});

test('a payment is recorded once, whatever its plan', async (t) => {
  await executed(refund('paid-once'));
  await refuted(t, executed(refund('paid-once')), 'IDENTITY_REUSED');
});

// Evidence and verification

test('an execution cannot be verified before its first evidence', async (t) => {
  await refused(t, steps.verify(await executed()), 'STEP_OUT_OF_ORDER');
});

test('an execution without all its evidence stays open, and a later submission leads to a proof', async (t) => {
  const plan = await steps.approved();
  const inTwo = [...refund().slice(0, 1), pay('50.00', '30.00', 'first'), pay('30.00', '0.00', 'second')];
  const execution = await steps.run(plan, inTwo);
  t.is((await steps.evidence(execution, { amount: '50.00', id: 'first' })).state, 'evidence_submitted');
  const open = await steps.verify(execution);
  t.like(open, { state: 'evidence_submitted', proof_id: null });
  t.is(open.verdicts.evidence.reasons[0]?.code, 'EVIDENCE_MISSING');
  const rest = { ...execution, actions: execution.actions.slice(1) };
  await steps.evidence(rest, { amount: '30.00', id: 'second' });
  const { state, proof_id } = await steps.verify(execution);
  t.is(state, 'verified');
  t.not(proof_id, null);
});

test('a verified execution accepts neither evidence nor another verification', async (t) => {
  const execution = await executed(refund('closed'));
  await steps.evidence(execution, { amount: '80.00', id: 'closed' });
  t.is((await steps.verify(execution)).state, 'verified');
  await refused(t, steps.evidence(execution, { amount: '80.00', id: 'late' }), 'EXECUTION_CLOSED');
  await refused(t, steps.verify(execution), 'EXECUTION_CLOSED');
});

/** Records the proposed actions with a change, and verifies them with their receipt. */
async function verified(identity: string, change: (actions: ReturnType<typeof refund>) => ReturnType<typeof refund>) {
  const plan = await steps.approved();
  const checks = await steps.checks(plan, refund(identity));
  const execution = await steps.execute(plan, checks, change(doneAt(refund(identity)).slice()));
  await steps.evidence(execution, { amount: '80.00', id: identity });
  return { execution, verification: await steps.verify(execution) };
}

test('actions that differ from the proposed ones are recorded, and refuted permanently', async (t) => {
  const less = pay('79.00', '1.00', 'otherwise');
  const change = (actions: ReturnType<typeof refund>) => doneAt([...actions.slice(0, 1), less]).slice();
  const { execution, verification: first } = await verified('otherwise', change);
  t.is(first.state, 'refuted');
  const codes = first.verdicts.plan_alignment.reasons.map(({ code }) => code);
  t.true(codes.includes('DEVIATED_FROM_PROPOSAL'), codes.join());
  await refused(t, steps.verify(execution), 'EXECUTION_CLOSED');
  await refused(t, steps.evidence(execution, { amount: '80.00', id: 'more' }), 'EXECUTION_CLOSED');
});

test('times that contradict the clock of the service are not recorded, and the same checks serve when they are corrected', async (t) => {
  const plan = await steps.approved();
  const actions = refund();
  const checks = await steps.checks(plan, actions);
  const record = (...seconds: readonly number[]) =>
    steps.execute(
      plan,
      checks,
      doneAt(
        actions,
        seconds.map((each) => instant(each)),
      ),
    );
  const early = await t.throwsAsync(record(-3600, 0), { code: 'MALFORMED_INPUT' });
  t.regex(defined(early).message, /^\/actions\/0\/started_at: is 3[56]\d\d(\.\d+)? s before the plan was approved/);
  const late = await t.throwsAsync(record(0, 3600), { code: 'MALFORMED_INPUT' });
  t.regex(defined(late).message, /^\/actions\/1\/ended_at: is 3[56]\d\d(\.\d+)? s in the future/);
  t.is((await record(0)).state, 'recorded');
});

test('times with an offset or fewer decimals are recorded in UTC with six decimals', async (t) => {
  const actions = refund();
  const plan = await steps.approved();
  const stored = instant();
  const withoutZone = stored.slice(0, 23);
  const times = { started_at: `${withoutZone}+00:00`, ended_at: `${withoutZone}Z` };
  const sent = doneAt(actions).map((action) => ({ ...action, ...times }));
  const execution = await steps.execute(plan, await steps.checks(plan, actions), sent);
  const { actions: recorded } = await steps.readExecution(execution);
  for (const { action } of recorded) t.like(action, { started_at: stored, ended_at: stored });
});

test('an execution of a clock that is a little ahead is verified', async (t) => {
  const { verification: answer } = await verified('ahead', (actions) => doneAt(actions, [instant(2)]).slice());
  t.is(answer.state, 'verified', JSON.stringify(answer.verdicts));
});

test('a run without actions is refused when it is checked, because it cannot be recorded', async (t) => {
  await refused(t, steps.check('plan_alignment', await steps.approved(), []), 'MALFORMED_INPUT');
});

// Preflight

const reasonsOf = ({ result }: { readonly result: { readonly reasons: readonly { readonly code: string }[] } }) =>
  result.reasons.map(({ code }) => code);

test('a preflight allows an action of an approved plan, and says what remains after it', async (t) => {
  const plan = await steps.approved();
  const answer = await steps.preflight(plan, doneAt([look]), asked(pay('50.00', '')));
  t.like(answer, { decision: 'allow', frozen: false, result: { verdict: 'satisfied', question: 'possible' } });
  t.deepEqual(answer.remaining.steps, [{ step_id: 'pay', min: 0, max: 1 }]);
  t.like(answer.remaining.constraints[0], { id: 'cap', slack: '50.00' });
});

test('a preflight refuses if the plan is not approved, has expired, or has no executions left', async (t) => {
  const draft = await steps.create();
  const ask = async (plan: PlanRef) => reasonsOf(await steps.preflight(plan, doneAt([look]), asked(pay('80.00', ''))));
  t.deepEqual(await ask(draft), ['PLAN_NOT_APPROVED']);
  const used = await steps.approved();
  await steps.execute(used, await steps.checks(used, refund()), doneAt(refund()));
  t.deepEqual(await ask(used), ['EXECUTIONS_EXHAUSTED']);
  const short = await expiring(steps, (plan) => steps.approve(plan));
  await until(isIn(short, 'expired'));
  t.deepEqual(await ask(short), ['PLAN_EXPIRED']);
});

test('a preflight with a wrong hash, an unknown plan or malformed actions is refused', async (t) => {
  const plan = await steps.approved();
  const action = asked(pay('80.00', ''));
  await refused(t, steps.preflight({ ...plan, plan_hash: '0'.repeat(64) }, [], action), 'PLAN_HASH_MISMATCH');
  const nowhere = { ...plan, plan_id: '01a1ff10-ab22-7009-9a2f-8dff3c2533c4' };
  await refused(t, steps.preflight(nowhere, [], action), 'NOT_FOUND');
  const other = createSteps(verification.service, await verification.addTenant('elsewhere'));
  await refused(t, other.preflight(plan, [], action), 'NOT_FOUND');
  const mistyped = { ...pay('80.00', '0.00'), response: { id: 'r1' } };
  const untyped = await steps.preflight(plan, [mistyped], action);
  t.like(untyped, {
    decision: 'refuse',
    result: { verdict: 'invalid_input', reasons: [{ path: '/done/0/response/left' }] },
  });
});

test('selects the best items, and refuses malformed arguments with MALFORMED_INPUT', async (t) => {
  const items = ['a', 'b', 'c'].map((id, index) => ({ id, values: { p: `${index + 1}`, w: '2' } }));
  const selection = { scale: 0, items, capacities: [{ of: 'w', max: '4' }] };
  const objectives = [{ of: 'p', direction: 'maximize' }];
  t.like(await steps.select({ ...selection, objectives }), { outcome: 'optimal', chosen: ['b', 'c'], best_bound: '5' });
  t.like(await steps.select({ ...selection, require: ['a', 'b', 'c'] }), { outcome: 'infeasible', chosen: [] });
  await refused(t, steps.select({ ...selection, require: ['d'] }), 'MALFORMED_INPUT');
  await refused(t, steps.select({ ...selection, time_limit: 1 }), 'MALFORMED_INPUT');
});
