import test from 'ava';
import { answerTask } from '../../../../workers/solver/answer.ts';
import type { Linted, Preflight } from '../../../../workers/solver/run/checked.ts';
import type { SolverTask } from '../../../../workers/solver/tasks.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { APPROVED, invoices, paymentPlan, paymentRun, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';

const z3 = await sharedZ3();
/** 840.00 in all, each amount once. */
const ROWS = invoices(40);
const MANY = invoices(200);
const PLAN = paymentPlan(ROWS);
const partsWith = (rows: typeof ROWS) => ({ sheets: [], tools: [TRANSFER_TEXT], tables: [tableOf(rows)] });
const AMOUNT = ['arg', 'p', 'amount'];
const SUM = ['sum', 'pay', 'p', AMOUNT];

function check(over: Readonly<Record<string, unknown>>, rows = ROWS): Linted {
  const task: SolverTask = { kind: 'check_plan', plan: JSON.stringify(paymentPlan(rows, over)), ...partsWith(rows) };
  const answer = answerTask(task, z3, DEFAULT_RLIMIT);
  if (!('lint' in answer)) throw new TypeError('not an answer to check_plan');
  return answer;
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

for (const [what, over, core] of [
  ['sums above the cap', constrained(['>', SUM, ['dec', '25000.00']]), ['/constraints/x0', '/constraints/cap']],
  ['a negative sum of positive amounts', constrained(['<', SUM, ['dec', '0.00']]), ['/constraints/x0']],
  ['more than all payments can sum up to', constrained(['>', SUM, ['dec', '24999.00']]), ['/constraints/x0']],
  [
    'a condition that no row meets',
    paying({
      min: 1,
      where: [...(PLAN.steps[1]?.where ?? []), { id: 'no', expr: ['>', ['arg', 'amount'], ['dec', '50.00']] }],
    }),
    ['/completion/pay/min', '/completion/pay/where/amount', '/completion/pay/where/no'],
  ],
] as const) {
  test(`a plan with ${what} is vacuous, and the core names the rules`, (t) => {
    const { judgement } = check(over);
    t.is(judgement.verdict, 'vacuous');
    t.true(
      judgement.core.length > 0 && judgement.core.every((id) => (core as readonly string[]).includes(id)),
      judgement.core.join(),
    );
  });
}

test('a rule that is too hard is named', (t) => {
  const squares = ['=', ['mod', SUM, 1], 0];
  t.is(check(constrained(squares)).fault?.code, 'TYPE_MISMATCH');
  // Every payment comes before another one, so none can be the last.
  const endless = [
    'and',
    ['>', ['count', 'pay'], 0],
    ['forall', 'pay', 'p', ['exists', 'pay', 'q', ['before', 'p', 'q']]],
  ];
  const { judgement, lint } = check(constrained(endless));
  t.is(judgement.verdict, 'indeterminate');
  t.is(judgement.reasons[0]?.path, '/constraints/x0');
  t.true(lint.some(({ code, message }) => code === 'NOT_DECIDED' && message.includes('/constraints/x0')));
});

test('a sum that listed rows cannot reach is a contradiction', (t) => {
  const wanted = (amount: string) => check(constrained(['>=', SUM, ['dec', amount]])).judgement;
  t.is(wanted('840.00').verdict, 'satisfied');
  const { verdict, core } = wanted('840.01');
  t.is(verdict, 'vacuous');
  t.true(core.includes('/constraints/x0') && core.includes('/constraints/once'), core.join());
});

test('a preflight among 200 open slots is decided', (t) => {
  const run = paymentRun(MANY.slice(0, 60));
  const preflight = (action: unknown): Preflight => {
    const task: SolverTask = {
      kind: 'preflight',
      plan: JSON.stringify(paymentPlan(MANY)),
      ...partsWith(MANY),
      done: JSON.stringify(run.slice(0, -1)),
      action: JSON.stringify(action),
      circumstances: { approvals: APPROVED },
    };
    const answer = answerTask(task, z3, DEFAULT_RLIMIT);
    if (!('slacks' in answer)) throw new TypeError('not an answer to preflight');
    return answer;
  };
  const { response: _, started_at, ended_at, ...intent } = Object(run.at(-1));
  const good = preflight(intent);
  t.deepEqual([good.alignment.verdict, good.constraints.verdict], ['satisfied', 'satisfied']);
  t.is(good.slacks.find(({ id }) => id === 'cap')?.slack, '23940.00');
  const twice = preflight({ ...intent, args: Object(run.at(-2))['args'] });
  t.deepEqual([twice.alignment.verdict, twice.constraints.verdict], ['satisfied', 'violated']);
  t.deepEqual(twice.constraints.core, ['/constraints/once']);
});

test('bounds say what a plan allows at most', (t) => {
  const { bounds } = check({});
  const pay = bounds?.find(({ step_id }) => step_id === 'pay');
  // Rows from 1.50 to 40.50, each paid at most once.
  t.deepEqual(pay, {
    step_id: 'pay',
    min: 0,
    max: 600,
    numbers: [{ name: 'amount', least: '1.50', greatest: '40.50', total: '840.00' }],
  });
});

test('bounds of a sum follow from the largest rows that may be used, and from a rule about the sum', (t) => {
  const totalOf = (over: Readonly<Record<string, unknown>>) =>
    check(over).bounds?.find(({ step_id }) => step_id === 'pay')?.numbers[0]?.total;
  // The six largest rows have 35.50 to 40.50.
  t.is(totalOf(paying({ max: 6 })), '228.00');
  t.is(totalOf({ ...paying({ max: 6 }), ...constrained(['<=', SUM, ['dec', '227.00']]) }), '227.00');
  t.is(totalOf({ ...paying({ max: 6 }), ...constrained(['<', SUM, ['dec', '227.00']]) }), '226.99');
  const repeated = { ...paying({ max: 6 }), constraints: PLAN.constraints.filter(({ id }) => id !== 'once') };
  t.is(totalOf(repeated), '243.00', 'the same invoice six times');
});

test('lint names rules that cannot be broken, and unreachable steps', (t) => {
  const codes = (over: Readonly<Record<string, unknown>>) =>
    check(over).lint.map(({ code, path }) => `${code} ${path}`);
  t.deepEqual(codes({}), ['RULE_ALWAYS_TRUE /constraints/1']);
  const low = { variables: { cap: { type: 'decimal', scale: 2, value: '600.00' } } };
  t.deepEqual(codes(low), []);
  const free = paying({ where: [{ id: 'positive', expr: ['>=', ['arg', 'amount'], ['dec', '0.00']] }] });
  t.true(codes({ ...free, ...low }).includes('RULE_ALWAYS_TRUE /steps/1/where/0'));
  const never = constrained(['=', ['count', 'approve'], 0]);
  t.true(codes({ ...low, ...never }).includes('STEP_UNREACHABLE /steps/0'));
});
