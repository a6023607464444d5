import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import type { Linted, Preflight } from '../../../../workers/verdict/run/checked.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { by } from '../../../models/abstracted-plan.ts';
import { ask } from '../../../models/ask-solver.ts';
import { APPROVED, invoices, paymentPlan, paymentRun, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay } from '../../../models/refund-run.ts';
import { SPEND_CAP, textOf, useOf } from '../../../models/sheets.ts';

const ROWS = invoices(40);
const MANY = invoices(200);
const PLAN = paymentPlan(ROWS);
const partsWith = (rows: typeof ROWS) => ({ sheets: [], tools: [TRANSFER_TEXT], tables: [tableOf(rows)] });
const AMOUNT = ['arg', 'p', 'amount'];
const SUM = ['sum', 'pay', 'p', AMOUNT];

function check(over: Readonly<Record<string, unknown>>, rows = ROWS): Linted {
  return ask({ kind: 'propose', plan: JSON.stringify(paymentPlan(rows, over)), ...partsWith(rows) });
}

const constrained = (...rules: readonly unknown[]) => ({
  constraints: [...PLAN.constraints, ...rules.map((expr, index) => ({ id: `x${index}`, expr }))],
});
const paying = (over: object) => ({
  steps: PLAN.steps.map((step) => (step.step_id === 'pay' ? { ...step, ...over } : step)),
});
const EACH_ONCE = [
  'forall',
  ['table', 'approved'],
  'r',
  ['=', ['count', 'pay', 'p', ['=', ['arg', 'p', 'invoice'], ['col', 'r', 'invoice']]], 1],
];

for (const [what, over] of [
  ['as it is', {}],
  ['with each of 200 invoices paid exactly once', constrained(EACH_ONCE)],
  ['with 200 required payments', paying({ min: 200 })],
  ['with a sum that needs many payments', constrained(['>=', SUM, ['dec', '1000.00']])],
  ['with a balance that payments must lower', constrained(['<', ['final', 'balance'], ['dec', '899000.00']])],
  ['with 200 required payments of any amount', paying({ min: 200, where: [] })],
] as const) {
  test(`a plan ${what} can be obeyed`, (t) => {
    t.is(check(over, MANY).judgement.verdict, 'satisfied');
  });
}

test('a preflight among 200 open slots is decided', (t) => {
  const run = paymentRun(MANY.slice(0, 60));
  const preflight = (action: unknown): Preflight => {
    return ask({
      kind: 'preflight',
      plan: JSON.stringify(paymentPlan(MANY)),
      ...partsWith(MANY),
      done: JSON.stringify(run.slice(0, -1)),
      action: JSON.stringify(action),
      runContext: { approvals: APPROVED },
    });
  };
  const { response: _, started_at, ended_at, ...intent } = Object(run.at(-1));
  const good = preflight(intent);
  t.deepEqual([good.alignment.verdict, good.constraints.verdict], ['satisfied', 'satisfied']);
  t.is(good.slacks.find(({ id }) => id === 'cap')?.slack, '23940.00');
  const twice = preflight({ ...intent, args: Object(run.at(-2))['args'] });
  t.deepEqual([twice.alignment.verdict, twice.constraints.verdict], ['satisfied', 'violated']);
  t.deepEqual(twice.constraints.core, ['/constraints/once']);
});

const complete = (documents: readonly unknown[], over: object = REFUND_PLAN) => {
  const plan = readPlan(over, [textOf(SPEND_CAP)]);
  const { verdict, core } = judgeCompletion({ plan, actions: readActions(documents, plan) }, by);
  return [verdict, ...core];
};

test('a refund can be completed after a part of it, but not after too much', (t) => {
  t.deepEqual(complete([]), ['satisfied']);
  t.deepEqual(complete([look, pay('50.00', '30.00')]), ['satisfied']);
  const over = [look, pay('90.00', '-10.00')];
  const [verdict, ...core] = complete(over);
  t.is(verdict, 'violated');
  t.true(core.includes('/constraints/whole'), core.join());
  t.deepEqual(complete(over, { ...BOUNDED_PLAN, constraints: [] }), ['violated', '/actions/1/state/refundable']);
  const all = { id: 'all', expr: ['=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['dec', '90.00']] };
  t.not(complete([look], { ...BOUNDED_PLAN, constraints: [all] })[0], 'satisfied');
});

test('done actions and further ones are checked against the sheets of their step', (t) => {
  const under = (cap: string, ...done: readonly unknown[]) => {
    const sheet = useOf(SPEND_CAP, 'each:pay', { cap: ['dec', cap], spent: ['arg', 'amount'] });
    return complete([look, ...done], { ...REFUND_PLAN, sheets: [sheet] });
  };
  t.deepEqual(under('40.00'), ['satisfied']);
  t.not(under('39.99')[0], 'satisfied');
  t.deepEqual(under('40.00', pay('50.00', '30.00')), ['violated', '/actions/1/sheets/0/within']);
  t.deepEqual(under('500.01', pay('50.00', '30.00')), ['violated', '/actions/1/sheets/0/bind/cap']);
});

for (const [step, state] of [
  ['look', 'count'],
  ['pay', 'present'],
] as const) {
  test(`a step named "state" does not collide with a state variable named "${state}"`, (t) => {
    const text = JSON.stringify(BOUNDED_PLAN)
      .replaceAll(`"${step}"`, '"state"')
      .replaceAll('"refundable"', `"${state}"`);
    t.deepEqual(complete([], JSON.parse(text)), ['satisfied']);
  });
}
