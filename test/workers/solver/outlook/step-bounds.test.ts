import test from 'ava';
import { compilePlan } from '../../../../workers/plan-text/compile-plan.ts';
import { canonicalText } from '../../../../workers/plan-text/tools/known-tool.ts';
import { stepBounds } from '../../../../workers/solver/outlook/step-bounds.ts';
import { readPlan } from '../../../../workers/solver/plan/read-plan.ts';
import { outlookPlan } from '../../../models/outlook-plan.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: write
    args: { n: int(0..100), m: "int(-20..30)", free: int, invoice: string(64), flag: bool }
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
  t.is(totalOf('unique(pay, p, [p.invoice, p.n])'), '120', 'the same row with another argument');
  t.is(totalOf('unique(pay, p, p.invoice, p.flag)'), '120', 'some actions only');
});

test('the largest rows are found wherever the table has them', (t) => {
  const amounts = [12, 30, 7, 30, 25, 41, 3];
  const rows = amounts.map((amount, at) => `{ invoice: ${'ABCDEFG'[at]}, amount: ${amount} }`).join(', ');
  const tables = `approved: { key: invoice, columns: { invoice: string(64), amount: int }, rows: [${rows}] }`;
  const pay = (most: number, where: string) => `times: 0..${most}, where: '${where}'`;
  const totalOf = (most: number, where = 'args.free == approved[args.invoice].amount') => {
    const plan = outlookPlan({ tables, pay: pay(most, where), rules: ['unique(pay, p, p.invoice)'] });
    return stepBounds(plan)[0]?.numbers.find(({ name }) => name === 'free')?.total;
  };
  t.deepEqual(
    [1, 2, 3, 4, 5, 9].map((most) => totalOf(most)),
    ['41', '71', '101', '126', '138', '148'],
  );
  t.is(totalOf(3, 'approved[args.invoice].amount == args.free'), '101');
  t.is(totalOf(3, 'args.n == approved[args.invoice].amount'), null, 'another number has the rows');
});

test('a response is no key of a row, even if it has the name of one', (t) => {
  const pay = `times: 0..4, where: 'args.free == approved[args.invoice].amount'`;
  const plan = outlookPlan({ pay, rules: ['unique(pay, p, p.invoice)'] });
  const totalOf = (constraints: typeof plan.constraints) =>
    stepBounds({ ...plan, constraints })[0]?.numbers.find(({ name }) => name === 'free')?.total;
  const ofResponses = plan.constraints.map((rule) => {
    const { expression } = rule;
    if (expression.op !== 'unique') throw new Error(expression.op);
    const keys = expression.keys.map((key) => (key.op === 'part' ? { ...key, part: 'resp' as const } : key));
    return { ...rule, expression: { ...expression, keys } };
  });
  t.is(totalOf(plan.constraints), '42');
  t.is(totalOf(ofResponses), '120');
});

interface Act {
  readonly n: number;
  readonly m: number;
  readonly invoice: string;
  readonly free: number;
}
const AMOUNTS = new Map([
  ['A', 30],
  ['B', -5],
  ['C', 12],
]);
const ACTS: readonly Act[] = [0, 1, 2, 3].flatMap((n) =>
  [-2, 0, 2].flatMap((m) => [...AMOUNTS].map(([invoice, free]) => ({ n, m, invoice, free }))),
);
const RUNS = [[], ...ACTS.map((act) => [act]), ...ACTS.flatMap((one) => ACTS.map((other) => [one, other]))];
const sum = (run: readonly Act[], name: 'n' | 'm' | 'free') => run.reduce((so, act) => so + act[name], 0);
const CONDITIONS: readonly (readonly [string, (act: Act) => boolean])[] = [
  ['args.n >= 1', ({ n }) => n >= 1],
  ['args.n < args.m + 2', ({ n, m }) => n < m + 2],
];
const RULES: readonly (readonly [string, (run: readonly Act[]) => boolean])[] = [
  ['sum(pay, p, p.n) <= 3', (run) => sum(run, 'n') <= 3],
  ['unique(pay, p, p.invoice)', ([one, other]) => one?.invoice !== other?.invoice || other === undefined],
  ['sum(pay, p, p.free) < 35', (run) => sum(run, 'free') < 35],
  ['pay.all(p, p.m <= 0)', (run) => run.every(({ m }) => m <= 0)],
];

function subsets<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** all.length }, (_, mask) =>
    all.filter((_one, at) => Math.floor(mask / 2 ** at) % 2 === 1),
  );
}

test('bounds hold for every run', (t) => {
  let bounded = 0;
  for (const conditions of subsets(CONDITIONS)) {
    for (const rules of subsets(RULES)) {
      const where = ['args.free == approved[args.invoice].amount', ...conditions.map(([text]) => text)].join(' && ');
      const plan = outlookPlan({ pay: `times: 0..2, where: '${where}'`, rules: rules.map(([text]) => text) });
      const numbers = stepBounds(plan)[0]?.numbers ?? [];
      const runs = RUNS.filter(
        (run) =>
          run.every((act) => conditions.every(([, meets]) => meets(act))) && rules.every(([, obeys]) => obeys(run)),
      );
      for (const name of ['n', 'm', 'free'] as const) {
        const { least = null, greatest = null, total = null } = numbers.find((number) => number.name === name) ?? {};
        const areIn = runs.every((run) =>
          run.every(
            (act) =>
              (least === null || Number(least) <= act[name]) && (greatest === null || act[name] <= Number(greatest)),
          ),
        );
        const most = Math.max(...runs.map((run) => sum(run, name)));
        t.true(
          areIn && (total === null || most <= Number(total)),
          `${name} under ${where} and ${plan.constraints.length} rules`,
        );
        if (total !== null && most === Number(total)) bounded += 1;
      }
    }
  }
  t.true(bounded > 50, `${bounded}`);
});
