import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { brokenBy, judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import type { Problem } from '../../../../workers/verdict/decide/problem.ts';
import { alignmentProblem } from '../../../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../../../workers/verdict/run/constraints.ts';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { compileExample, readExample, textsOf, toolsIn } from '../../../models/plan-texts.ts';
import { look, pay, plan as refund } from '../../../models/refund-run.ts';

const TOOLS = toolsIn(readExample('tools.yaml'));

function readExamplePlan(name: string, change: (step: { readonly step_id: string }) => object = () => ({})) {
  const { plan, tables } = compileExample(name, TOOLS);
  const steps = plan.steps.map((step) => ({ ...step, ...change(step) }));
  return readPlan({ ...plan, steps }, [], { tools: textsOf(TOOLS), tables });
}

const at = (seconds: number) =>
  `${new Date(Date.parse('2026-11-26T10:00:00Z') + seconds * 1000).toISOString().slice(0, -1)}000Z`;

interface Done {
  readonly step: string;
  readonly tool: string;
  readonly args: object;
  readonly response: object;
  /** Seconds. */
  readonly from: number;
  readonly to: number;
}

const record = ({ step, tool, args, response, from, to }: Done) => {
  const [name, version] = tool.split('@');
  const times = { started_at: at(from), ended_at: at(to) };
  return { step_id: step, tool: name, tool_version: version, args, response, ...times };
};

const judged = (problem: Problem) => {
  const verdict = judgeKnown(problem);
  return verdict === 'violated' ? brokenBy(problem.values, problem.rules).map(({ id }) => id) : verdict;
};
const align = (plan: ReturnType<typeof readPlan>, done: readonly Done[]) =>
  judged(
    alignmentProblem({ plan, actions: readActions(done.map(record), plan) }, { question: 'holds', isComplete: true }),
  );

const ORDERS = { database: 'orders' };
const backup = (from: number, to: number): Done => {
  return { step: 'backup', tool: 'db.backup@1.0.0', args: ORDERS, response: { id: 'b1', bytes: 1024 }, from, to };
};
const migrate = (from: number, to: number): Done => {
  const args = { ...ORDERS, target: 42 };
  return { step: 'migrate', tool: 'db.migrate@3.0.0', args, response: { schema: { version: 42 } }, from, to };
};
const check = (from: number, to: number, healthy = true): Done => {
  return { step: 'check', tool: 'db.check@1.0.0', args: ORDERS, response: { healthy }, from, to };
};
const rollback = (from: number, to: number): Done => {
  const args = { ...ORDERS, target: 41 };
  return { step: 'rollback', tool: 'db.migrate@3.0.0', args, response: { schema: { version: 41 } }, from, to };
};

test('what a step waits for has ended before it starts, or at the same time', (t) => {
  const plan = readExamplePlan('migration');
  t.is(align(plan, [backup(5, 50), migrate(50, 60), check(60, 60)]), 'satisfied');
  t.deepEqual(align(plan, [backup(5, 50), migrate(6, 10), check(7, 8)]), [
    '/actions/1/after/backup',
    '/actions/2/after/migrate',
  ]);
  t.deepEqual(align(plan, [backup(5, 50), migrate(49.999, 60), check(60, 61)]), ['/actions/1/after/backup']);
});

test('a rule about what comes before is broken by an action that has not ended', (t) => {
  const plan = readExamplePlan('migration');
  const constraints = (done: readonly Done[]) =>
    judged(constraintsProblem({ plan, actions: readActions(done.map(record), plan) }, 'holds'));
  const before = [backup(0, 1), migrate(2, 3), check(4, 6, false)];
  t.is(constraints([...before, rollback(6, 7)]), 'satisfied');
  t.deepEqual(constraints([...before, rollback(5, 7)]), ['/constraints/only_if_unhealthy']);
});

test('actions that no rule orders may overlap', (t) => {
  const plan = readExamplePlan('migration');
  t.is(align(plan, [backup(0, 1), migrate(2, 3), check(4, 9), check(5, 8)]), 'satisfied');
});

test('intents have no times, so the list decides', (t) => {
  const intents = [backup(0, 9), migrate(1, 2), check(1, 1)].map(record);
  const plan = readExamplePlan('migration');
  const proposed = intents.map(({ started_at: _, ended_at: __, response: ___, ...intent }) => intent);
  const ask = (some: readonly unknown[]) =>
    judged(alignmentProblem({ plan, actions: readIntents(some, plan) }, { question: 'possible', isComplete: true }));
  t.is(ask(proposed), 'satisfied');
  t.deepEqual(ask([proposed[1], proposed[0], proposed[2]]), ['/actions/0/after/backup']);
});

test('an action starts when one has ended with which it shares a state, unless a step allows otherwise', (t) => {
  const timed = (action: object, from: number, to: number) => ({ ...action, started_at: at(from), ended_at: at(to) });
  const run = (second: number) =>
    [timed(look, 0, 1), timed(pay('50.00', '30.00'), 2, 5), timed(pay('30.00', '0.00', 'r2'), second, 6)] as const;
  const ask = (second: number, overlaps: ReadonlySet<string> = new Set()) => {
    const plan = {
      ...refund,
      steps: refund.steps.map((step) => (step.stepId === 'pay' ? { ...step, overlaps } : step)),
    };
    const actions = readActions(run(second), plan);
    return judged(alignmentProblem({ plan, actions }, { question: 'holds', isComplete: true }));
  };
  t.is(ask(5), 'satisfied');
  t.deepEqual(ask(4), ['/actions/2/overlap/refundable']);
  t.is(ask(4, new Set(['pay'])), 'satisfied');
  t.deepEqual(ask(4, new Set(['look'])), ['/actions/2/overlap/refundable']);
});

const send = (to: string, from: number, until: number): Done => {
  const args = { to, template: to.startsWith('bob') ? 'winter-de' : 'winter-en' };
  return { step: 'send', tool: 'mail.send_template@1.0.0', args, response: { id: `${to}${from}` }, from, to: until };
};

test('entries of a map at different keys are not shared', (t) => {
  const plan = readExamplePlan('campaign');
  t.is(align(plan, [send('ada@example.com', 0, 9), send('bob@example.com', 1, 5)]), 'satisfied');
  t.deepEqual(align(plan, [send('ada@example.com', 0, 9), send('ada@example.com', 1, 5)]), ['/actions/1/overlap/sent']);
  const allowed = readExamplePlan('campaign', () => ({ overlaps: ['send'] }));
  t.is(align(allowed, [send('ada@example.com', 0, 9), send('ada@example.com', 1, 5)]), 'satisfied');
});

test('a step can only name steps of its plan', (t) => {
  t.throws(() => readExamplePlan('campaign', () => ({ overlaps: ['sent'] })), {
    message: /sent is not a step/,
  });
});
