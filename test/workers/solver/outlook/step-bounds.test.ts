import test from 'ava';
import { compilePlan } from '../../../../workers/plan-text/compile-plan.ts';
import { canonicalText } from '../../../../workers/plan-text/tools/known-tool.ts';
import { stepBounds } from '../../../../workers/solver/outlook/step-bounds.ts';
import { readPlan } from '../../../../workers/solver/plan/read-plan.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: write
    args: { n: int(0..100), k: int(0..50), m: "int(-20..30)", free: int, invoice: string(64), flag: bool }
    responds: { fee: "int(2..9)" }
`);

/** What follows for the numbers of a step. */
function boundsUnder(
  where: string,
  { times = '0..4', rules = [] }: { times?: string; rules?: readonly string[] } = {},
) {
  const { plan: document, faults } = compilePlan(
    `plan: Pay
expires: 2027-12-05T00:00:00Z
recorded: 1000
given: { seven: 7 }
tables:
  approved:
    key: invoice
    columns: { invoice: string(64), amount: int }
    rows: [{ invoice: A, amount: 30 }, { invoice: B, amount: -5 }, { invoice: C, amount: 12 }]
state: { left: { type: "int(-3..40)", initial: 0 } }
steps:
  pay: { tool: pay@1, times: ${times}${where === '' ? '' : `, where: '${where}'`} }
rules: { ${rules.map((rule, index) => `r${index}: '${rule}'`).join(', ')} }
`,
    { tools: TOOLS, sheets: [], tables: new Map() },
  );
  if (document === undefined) throw new Error(JSON.stringify(faults));
  const plan = readPlan(document, [], { tools: TOOLS.map(canonicalText), tables: [] });
  const [step] = stepBounds(plan);
  return { plan, of: (name: string) => step?.numbers.find((number) => number.name === name) };
}

/** Conditions, and the least and the greatest `n` under them. The other numbers are `m` from -20 to 30, and `free`. */
const BOUNDS: readonly (readonly [where: string, least: string, greatest: string])[] = [
  ['', '0', '100'],
  ['args.n <= 5', '0', '5'],
  ['args.n < 5', '0', '4'],
  ['args.n >= 5', '5', '100'],
  ['args.n > 5', '6', '100'],
  ['5 > args.n && args.n >= 2', '2', '4'],
  ['args.n == 5', '5', '5'],
  ['args.n == seven', '7', '7'],
  ['args.n <= args.m', '0', '30'],
  ['args.m >= 10 && args.n >= args.m', '10', '100'],
  ['args.n >= args.m && args.m >= 10', '10', '100'],
  ['args.n <= args.m + 5', '0', '35'],
  ['args.n <= 5 - args.m', '0', '25'],
  ['args.n <= args.m * 3', '0', '90'],
  ['args.n >= args.m * -3 + 20', '0', '100'],
  ['args.m <= 5 && args.n >= args.m * -3 + 20', '5', '100'],
  ['args.n <= min(args.m, 12)', '0', '12'],
  ['args.n >= max(args.m, 12)', '12', '100'],
  ['args.n <= max(args.m, 12)', '0', '30'],
  ['args.n >= min(args.m + 25, 12)', '5', '100'],
  ['args.n == (args.flag ? 3 : 8)', '3', '8'],
  ['args.n == (args.flag ? 8 : 3)', '3', '8'],
  ['args.n == args.k % 7', '0', '6'],
  ['args.n <= state.left', '0', '40'],
  ['args.n <= approved[args.invoice].amount', '0', '30'],
  ['args.n >= approved[args.invoice].amount + 10', '5', '100'],
  ['args.n <= args.free', '0', '100'],
  ['args.flag || args.n <= 5', '0', '100'],
];

for (const [where, least, greatest] of BOUNDS) {
  test(`the numbers of an action are bounded by ${where === '' ? 'their types' : where}`, (t) => {
    t.like(boundsUnder(where).of('n'), { least, greatest });
  });
}

test('rules about every action bound it as its own conditions do', (t) => {
  t.like(boundsUnder('', { rules: ['pay.all(p, p.n <= 5 && p.n >= p.m + 22)'] }).of('n'), {
    least: '2',
    greatest: '5',
  });
  t.like(boundsUnder('', { rules: ['pay.all(p, pay.exists(q, p.n < q.n))'] }).of('n'), { least: '0', greatest: '100' });
});

test('a number without bounds has none, and one below zero adds nothing to the most of a run', (t) => {
  t.like(boundsUnder('').of('free'), { least: null, greatest: null, total: null });
  t.like(boundsUnder('args.m <= -1').of('m'), { least: '-20', greatest: '-1', total: '0' });
  t.like(boundsUnder('args.free <= 9').of('free'), { least: null, greatest: '9', total: '36' });
});

/** Rules about the sum, and the most that follows. */
const TOTALS: readonly (readonly [rule: string, total: string])[] = [
  ['sum(pay, p, p.n) <= 50', '50'],
  ['sum(pay, p, p.n) < 50', '49'],
  ['sum(pay, p, p.n) <= seven', '7'],
  ['sum(pay, p, p.n) <= 4000', '400'],
  ['sum(pay, p, p.n) == 50', '400'],
  ['sum(pay, p, p.n) <= count(pay)', '400'],
  ['sum(pay, p, p.m) <= 50', '400'],
  ['sum(pay, p, p.n * 1 + 0) <= 50', '400'],
  ['sum(pay, p, p.n, p.flag) <= 50', '400'],
  ['count(pay) <= 3', '400'],
];

for (const [rule, total] of TOTALS) {
  test(`the most of a run under ${rule}`, (t) => {
    t.is(boundsUnder('', { rules: [rule] }).of('n')?.total, total);
  });
}

test('each row is counted once where no two actions may have it, the largest ones first', (t) => {
  const where = 'args.free == approved[args.invoice].amount';
  const totalOf = (rule: string, times = '0..4') => boundsUnder(where, { times, rules: [rule] }).of('free')?.total;
  t.is(totalOf('unique(pay, p, p.invoice)'), '42', 'negative rows are left out');
  t.is(totalOf('unique(pay, p, p.invoice)', '0..1'), '30');
  t.is(totalOf('count(pay) <= 9'), '120');
  t.is(totalOf('unique(pay, p, p.n)'), '120', 'another argument');
  t.is(totalOf('unique(pay, p, p.invoice, p.flag)'), '120', 'some actions only');
});
