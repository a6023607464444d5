import test from 'ava';
import type { Linted, Preflight } from '../../../../workers/verdict/run/checked.ts';
import { ask } from '../../../models/ask-solver.ts';
import { APPROVED, invoices, paymentPlan, paymentRun, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';

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
