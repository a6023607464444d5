import test from 'ava';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { by, withoutNumbers } from '../../../models/abstracted-plan.ts';
import { paid, payPlan } from '../../../models/pay-plan.ts';

type Parts = Parameters<typeof payPlan>[0];

const PAIRS =
  'pairs: { key: [a, b], columns: { a: string(64), b: int(0..3), c: int, d: "decimal(2)", e: bool }, rows: [{ a: X, b: 1, c: 5, d: 1.00, e: true }, { a: Y, b: 2, c: 7, d: 3.00, e: true }, { a: Z, b: 3, c: 5, d: 2.00, e: false }, { a: W, b: 0, c: 9, d: 2.50, e: false }] }';
const PARTS = { given: 'seven: 7, two: 2, three: 3', steps: 'look: { tool: look@1, times: 0..2 }' };

/** Whether arguments are chosen with which a plan is obeyed, without a solver. */
function isChosen(parts: Parts, done: readonly unknown[] = []): boolean {
  const plan = payPlan({ ...PARTS, state: 'left: 3', ...parts });
  const runContext = { approvals: [{ at: '2026-11-01T00:00:00.000000Z', group: 'finance' }] };
  return (
    judgeCompletion({ plan, actions: readActions(done, plan), runContext }, { ...by, solver: withoutNumbers })
      .verdict === 'satisfied'
  );
}
const times = (count: number, where: string) => `times: ${count}..${count}, where: '${where}'`;

for (const [where, isSo] of [
  ['args.n == 2', true],
  ['3 == args.n', true],
  ['args.n == two', true],
  ['args.n == seven', false],
  ['args.n == state.left', true],
  ['args.n == 1 && args.m == args.n - 2', true],
  ['args.m == args.n - 2 && args.n == 1', true],
  ['args.kind == "old"', true],
  ['args.flag == (args.n > 1) && args.n == 2', true],
  ['args.n > 1', false],
  ['args.n == args.m', false],
  ['args.n != 2', false],
  ['args.n == 9 || args.n == 2', true],
  ['args.n == approved[args.invoice].amount', false],
  ['args.n == 1 && (args.n == 2 && args.m == 0 || args.n == 1 && args.m == 2)', true],
  ['(args.n == 1 || args.n == 2) && args.n < args.m + two && args.m == 0 && args.n > 0', true],
  ['pairs[[args.invoice, args.n]].c > 1 && pairs[[args.payee, args.n]].e && pairs[[args.invoice, args.n]].e', true],
  ['pairs[[args.invoice, 1]].c > 1', false],
] as const) {
  test(`arguments ${isSo ? 'follow' : 'do not follow'} from ${where}`, (t) => {
    t.is(isChosen({ pay: times(1, where), ...(where.includes('pairs') ? { tables: PAIRS } : {}) }), isSo);
  });
}

for (const [rule, isSo] of [
  ['pay.all(p, p.n == 2)', true],
  ['pay.all(p, p.n == two && p.flag)', true],
  ['pay.all(p, p.n == 2) && pay.all(q, q.flag)', true],
  ['pay.all(p, p.free == approved[p.invoice].amount)', true],
  ['pay.exists(p, p.n == 1)', false],
  ['pay.all(p, p.n == 1) || count(pay) > 3', false],
  // An action sees an earlier state than that at the end.
  ['pay.all(p, p.n == state.left)', false],
] as const) {
  test(`arguments ${isSo ? 'follow' : 'do not follow'} from the rule ${rule}`, (t) => {
    t.is(isChosen({ pay: 'times: 1..1', rules: [rule] }), isSo);
  });
}

const FROM_TABLE = 'args.free == approved[args.invoice].amount';
const FROM_PAIR = 'args.free == pairs[[args.invoice, args.n]].c';
const SPENT = 'effects: { left: state.left - 1 }';
const ONCE = 'unique(pay, p, p.invoice)';
/** Rows A (30), B (-5) and C (12), pairs by c: X and Z (5), Y (7), W (9). By d: X, Z, W, Y. */
for (const [what, parts, done = []] of [
  ['a row that none before has', { pay: times(3, FROM_TABLE), rules: [ONCE] }],
  [
    'no row of an action that was done',
    { pay: times(3, FROM_TABLE), rules: [ONCE] },
    [paid({ invoice: 'B', free: -5 })],
  ],
  ['a row with which no condition is false', { pay: times(2, `${FROM_TABLE} && args.free < 20`), rules: [ONCE] }],
  [
    'a row that did not fit an earlier one',
    {
      state: 'left: 1',
      pay: `${times(3, `${FROM_TABLE} && (args.free < 20 || state.left < 1)`)}, ${SPENT}`,
      rules: [ONCE, 'sum(pay, p, p.free) == 37'],
    },
  ],
  [
    'one choice after the other',
    {
      pay: times(2, 'args.invoice in approved && (args.n == 1 || args.n == 2)'),
      rules: [ONCE, 'sum(pay, p, p.n) == 3'],
    },
  ],
  ['a key of two arguments', { tables: PAIRS, pay: times(2, FROM_PAIR), rules: [ONCE, 'sum(pay, p, p.free) == 12'] }],
  ['the least rows', { tables: PAIRS, pay: times(2, FROM_PAIR), rules: [ONCE, 'sum(pay, p, p.free) <= 10'] }],
  ['the greatest rows', { tables: PAIRS, pay: times(2, FROM_PAIR), rules: [ONCE, 'sum(pay, p, p.free) >= 16'] }],
  [
    'the greatest rows by another column',
    { tables: PAIRS, pay: times(2, FROM_PAIR), rules: [ONCE, 'sum(pay, p, pairs[[p.invoice, p.n]].d) >= 5.50'] },
  ],
  // Where many actions follow, texts are their own, and numbers as near to zero as can be.
  [
    'nothing open among many',
    {
      pay: times(60, 'args.n >= 2 && args.m <= -1'),
      rules: [ONCE, 'pay.all(p, p.free == 0 && p.n == 2 && p.m == -1)'],
    },
  ],
  [
    'what is known among many',
    { pay: times(60, 'args.invoice == "A" && args.n >= 0'), rules: ['pay.all(p, p.n == 0 && p.m == 0)'] },
  ],
] as readonly (readonly [string, Parts, (readonly unknown[])?])[]) {
  test(`an action gets ${what}`, (t) => t.true(isChosen(parts, done)));
}
