import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { SPEND_CAP, textOf, useOf } from '../../../models/sheets.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const [LOOK, PAY] = REFUND_PLAN.steps;
const check = (over: object) => checkPlan({ ...REFUND_PLAN, ...over }, by);
const constrained = (...rules: readonly unknown[]) => ({
  constraints: [...REFUND_PLAN.constraints, ...rules.map((expr, index) => ({ id: `x${index}`, expr }))],
});

test('a plan that some run obeys is satisfied, without lint', (t) => {
  t.like(check({}), { judgement: { verdict: 'satisfied', question: 'possible' }, lint: [] });
});

test('a rule that no run obeys makes the plan vacuous', (t) => {
  const { judgement } = check(constrained(['<', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['dec', '0.00']]));
  t.is(judgement.verdict, 'vacuous');
  t.true(judgement.core.includes('/constraints/x0'));
});

test('a plan whose state can never meet its rules is vacuous, with a core', (t) => {
  const { judgement } = check({ variables: { cap: { type: 'decimal', scale: 2, value: '79.99' } } });
  t.is(judgement.verdict, 'vacuous');
  t.deepEqual(judgement.core, ['/constraints/cap', '/constraints/whole']);
});

const spent = (bind: Record<string, unknown>) =>
  checkPlan({ ...REFUND_PLAN, sheets: [useOf(SPEND_CAP, 'plan', bind)] }, by, { sheets: [textOf(SPEND_CAP)] });
const PAID = ['sum', 'pay', 'p', ['arg', 'p', 'amount']];

test('sheets add rules to a plan: what they bind counts as used, and must be within the bounds of its type', (t) => {
  t.like(spent({ cap: ['var', 'cap'], spent: PAID }), { judgement: { verdict: 'satisfied' }, lint: [] });
  const low = spent({ cap: ['dec', '79.99'], spent: PAID });
  t.deepEqual(low.judgement.core, ['/constraints/whole', '/sheets/0/within']);
  const high = spent({ cap: ['dec', '500.01'], spent: PAID });
  t.deepEqual([high.judgement.verdict, high.judgement.core], ['vacuous', ['/sheets/0/bind/cap']]);
});

test('a plan that cannot be decided has lint', (t) => {
  const { judgement, lint } = checkPlan(REFUND_PLAN, { ...by, rlimit: 1 });
  t.is(judgement.verdict, 'indeterminate');
  t.deepEqual(
    lint.map(({ code }) => code),
    ['NOT_DECIDED'],
  );
});

test('unused parts are lint', (t) => {
  const { lint } = check({
    variables: { ...REFUND_PLAN.variables, idle: { type: 'bool', value: true } },
    state: { ...REFUND_PLAN.state, idle: { type: 'bool', initial: true } },
    tools: [...REFUND_PLAN.tools, { ...REFUND_PLAN.tools[0], version: '2.0.0' }],
    steps: [LOOK, { ...PAY, evidence: [] }],
  });
  t.deepEqual(
    lint.map(({ code, path }) => [code, path]),
    [
      ['UNUSED', '/variables/idle'],
      ['UNUSED', '/state/idle'],
      ['UNUSED', '/tools/2'],
    ],
  );
});

test('a step whose results are only reported is lint where the plan allows none, also if it is optional', (t) => {
  const { lint } = check({
    max_recorded: 0,
    steps: [
      { ...LOOK, min: 0 },
      { ...PAY, after: [] },
    ],
  });
  t.deepEqual(
    lint.map(({ code, path }) => [code, path]),
    [['TOO_MANY_RECORDED', '/max_recorded']],
  );
});

test('a step that no run can have is lint', (t) => {
  const never = [{ id: 'never', expr: ['<', ['arg', 'amount'], ['dec', '0.00']] }, ...defined(PAY).where];
  const { lint } = check({ steps: [LOOK, PAY, { ...PAY, step_id: 'more', where: never, min: 0 }] });
  t.deepEqual(
    lint.map(({ code, path }) => [code, path]),
    [['STEP_UNREACHABLE', '/steps/2']],
  );
});
