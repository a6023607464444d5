import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { SPEND_CAP, textOf, useOf } from '../../../models/sheets.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const [LOOK, PAY] = REFUND_PLAN.steps;
const constrained = (...rules: readonly unknown[]) => ({
  constraints: [...REFUND_PLAN.constraints, ...rules.map((expr, index) => ({ id: `x${index}`, expr }))],
});

const PAID = ['sum', 'pay', 'p', ['arg', 'p', 'amount']];
const spent = (bind: Record<string, unknown>) => ({ sheets: [useOf(SPEND_CAP, 'plan', bind)] });
const CAP = { variables: { cap: { type: 'decimal', scale: 2, value: '79.99' } } };

// What a sheet binds counts as used, and must be within the bounds of its type.
for (const [what, over, core] of [
  ['that some run obeys', {}],
  ['with a rule that no run obeys', constrained(['<', PAID, ['dec', '0.00']]), ['/constraints/x0']],
  ['whose state can never meet its rules', CAP, ['/constraints/cap', '/constraints/whole']],
  ['with a sheet', spent({ cap: ['var', 'cap'], spent: PAID })],
  [
    'with a sheet that no run obeys',
    spent({ cap: ['dec', '79.99'], spent: PAID }),
    ['/constraints/whole', '/sheets/0/within'],
  ],
  ['with too much for a sheet', spent({ cap: ['dec', '500.01'], spent: PAID }), ['/sheets/0/bind/cap']],
] as readonly [string, object, string[]?][]) {
  test(`a plan ${what} is ${core === undefined ? 'satisfied, without lint' : `vacuous: ${core.join(', ')}`}`, (t) => {
    const { judgement, lint } = checkPlan({ ...REFUND_PLAN, ...over }, by, { sheets: [textOf(SPEND_CAP)] });
    if (core === undefined)
      t.like({ judgement, lint }, { judgement: { verdict: 'satisfied', question: 'possible' }, lint: [] });
    else t.is(judgement.verdict, 'vacuous');
    t.deepEqual(judgement.core, core ?? []);
  });
}

test('a plan that cannot be decided has lint', (t) => {
  const { judgement, lint } = checkPlan(REFUND_PLAN, { ...by, rlimit: 1 });
  t.is(judgement.verdict, 'indeterminate');
  t.like(lint, [{ code: 'NOT_DECIDED' }]);
  t.is(lint.length, 1);
});

const never = [{ id: 'never', expr: ['<', ['arg', 'amount'], ['dec', '0.00']] }, ...defined(PAY).where];
for (const [what, over, lint] of [
  [
    'unused parts',
    {
      variables: { ...REFUND_PLAN.variables, idle: { type: 'bool', value: true } },
      state: { ...REFUND_PLAN.state, idle: { type: 'bool', initial: true } },
      tools: [...REFUND_PLAN.tools, { ...REFUND_PLAN.tools[0], version: '2.0.0' }],
      steps: [LOOK, { ...PAY, evidence: [] }],
    },
    ['UNUSED /variables/idle', 'UNUSED /state/idle', 'UNUSED /tools/2'],
  ],
  [
    'an optional step whose results are only reported, where the plan allows none',
    {
      max_recorded: 0,
      steps: [
        { ...LOOK, min: 0 },
        { ...PAY, after: [] },
      ],
    },
    ['TOO_MANY_RECORDED /max_recorded'],
  ],
  [
    'a step that no run can have',
    { steps: [LOOK, PAY, { ...PAY, step_id: 'more', where: never, min: 0 }] },
    ['STEP_UNREACHABLE /steps/2'],
  ],
] as const) {
  test(`lint of ${what}: ${lint.join(', ')}`, (t) => {
    const found = checkPlan({ ...REFUND_PLAN, ...over }, by).lint.map(({ code, path }) => `${code} ${path}`);
    t.deepEqual(found, [...lint]);
  });
}
