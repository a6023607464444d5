import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { compilePlan } from '../../../../workers/plan/text/compile-plan.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { abstractionProblem } from '../../../../workers/verdict/search/abstraction.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { allowancesOf } from '../../../../workers/verdict/search/continuations.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

const TOOLS = toolsIn(`tools:
  bank.pay@1.0.0:
    effect: write
    args:
      amount: decimal(2, 0.00..1000.00)
      payee: string(64)
      invoice: string(64)
      n: int(0..100)
      kind: enum(new, old)
      flag: bool
    responds: { id: string(64), fee: "decimal(2, 0.00..10.00)" }
    effects: { left: state.left - args.amount }
    state: { left: decimal(2) }
  look@1.0.0:
    effect: none
    args: { n: "int(0..100)" }
    responds: { open: "int(0..100)" }
`);

interface Contradiction {
  /** How often it is paid. */
  readonly times: string;
  readonly where?: string;
  readonly rules?: readonly string[];
  /** How often it is looked. */
  readonly look?: string;
}

/** Plans that no run can obey. */
const CONTRADICTIONS: readonly Contradiction[] = [
  { where: 'args.amount > 10.00 && args.amount < 5.00', times: '1..3' },
  { times: '0..1', rules: ['count(pay) >= 2'] },
  { times: '0..5', where: 'args.amount <= 10.00', rules: ['sum(pay, p, p.amount) >= 100.00'] },
  { times: '2..3', where: 'args.amount >= 50.00', rules: ['state.left >= 0.00'] },
  { times: '3..9', where: 'args.invoice in approved', rules: ['unique(pay, p, p.invoice)'] },
  {
    times: '1..9',
    where: 'args.amount == approved[args.invoice].amount',
    rules: ['sum(pay, p, p.amount) >= 10.00', 'pay.all(p, p.amount > 20.00)'],
  },
  { times: '1..9', rules: ['pay.all(p, p.kind == "new")', 'pay.exists(p, p.kind == "old")'] },
  { times: '1..9', rules: ['pay.all(p, p.payee == "x")', 'pay.exists(p, p.payee == "y")'] },
  { times: '1..2', rules: ['pay.all(p, p.n > 5)', 'sum(pay, p, p.n) < 5'] },
  { times: '1', rules: ['pay.all(p, p.started_at < approved_at - duration("6s"))'] },
  { times: '1', rules: ['pay.all(p, p.started_at > timestamp("2100-01-01T00:00:00Z"))'] },
  { times: '2', rules: ['pay.all(p, pay.all(q, p.n != q.n))'] },
  { times: '2', rules: ['unique(pay, p, p.n)', 'pay.all(p, p.n == 1)'] },
  { times: '1..50', rules: ['count(pay) * 2 == 7'] },
  { times: '1..5', rules: ['count(pay, p, p.amount > 5.00) > count(pay)'] },
  { times: '1..5', rules: ['approvals >= 5', 'approvals <= 3'] },
  { times: '0..3', rules: ['sum(pay, p, p.amount) > 10.00', 'sum(pay, p, p.amount) < 5.00'] },
  { times: '0..9', rules: ['sum(pay, p, p.amount) == 0.005'] },
  { times: '1..9', rules: ['pay.exists(p, p.amount > 100.00)', 'sum(pay, p, p.amount) <= 100.00'] },
  { times: '1..9', where: 'args.flag && !args.flag' },
  { times: '1..9', where: 'args.invoice in approved', rules: ['pay.all(p, p.invoice == "C")'] },
  {
    times: '1..9',
    rules: ['pay.all(p, !(p.invoice in approved))', 'approved.all(a, pay.exists(p, p.invoice == a.invoice))'],
  },
  { times: '3..9', where: 'args.amount == approved[args.invoice].amount', rules: ['unique(pay, p, p.invoice)'] },
  { times: '0..9', rules: ['greatest(pay, p, p.amount) > 10.00', 'pay.all(p, p.amount <= 10.00)'] },
  { times: '1..9', rules: ['least(pay, p, p.amount) > greatest(pay, p, p.amount)'] },
  { times: '1..9', rules: ['state.left > 80.00'] },
  { times: '1..9', rules: ['state.left == 80.00', 'pay.all(p, p.amount > 0.00)'] },
  { times: '1..9', where: 'state.left < 0.00' },
  { times: '1..9', look: '0..9', rules: ['count(look) > count(pay)', 'count(pay) >= 9'] },
  { times: '1..100', rules: ['count(pay) - 2 * (count(pay) / 2) == 1', 'count(pay) - 4 * (count(pay) / 4) == 2'] },
  { times: '1..9', rules: ['pay.all(p, p.response.fee > 5.00)', 'sum(pay, p, p.response.fee) < 5.00'] },
  // What follows from how often each row of a table is used.
  {
    times: '1..9',
    where: 'args.invoice in approved',
    rules: ['count(pay, p, p.invoice == "A") >= 2', 'count(pay, p, p.invoice == "B") >= 2', 'count(pay) <= 3'],
  },
  {
    times: '1..9',
    where: 'args.invoice in approved',
    rules: ['pay.exists(p, p.invoice == "A")', 'pay.exists(p, p.invoice == "B")', 'count(pay) <= 1'],
  },
  {
    times: '1..9',
    where: 'args.invoice in approved',
    rules: ['sum(pay, p, approved[p.invoice].amount) == 25.00'],
  },
  {
    times: '1..9',
    where: 'args.invoice in approved',
    rules: ['pay.all(p, p.invoice == "A") || count(pay) >= 5', 'pay.exists(p, p.invoice == "B")', 'count(pay) <= 4'],
  },
  {
    times: '1..9',
    where: 'args.amount == approved[args.invoice].amount',
    rules: ['sum(pay, p, p.amount, p.invoice == "B") >= 30.00', 'count(pay, p, p.invoice == "B") <= 1'],
  },
  {
    times: '2..9',
    where: 'args.invoice in approved',
    rules: ['unique(pay, p, approved[p.invoice].payee)', 'count(pay, p, p.invoice == "A") >= 2'],
  },
  { times: '3..300', rules: ['sum(pay, p, p.amount * 3) <= 9.00', 'pay.all(p, p.amount >= 3.01)'] },
];

function planOf({ times, where, rules = [], look = '0..1' }: Contradiction): Plan {
  const condition = where === undefined ? '' : `, where: '${where}'`;
  const text = `plan: Pay
expires: 2027-12-05T00:00:00Z
recorded: 1000
tables:
  approved:
    key: invoice
    columns: { invoice: string(64), amount: decimal(2), payee: string(64) }
    rows: [{ invoice: A, amount: 10.00, payee: P }, { invoice: B, amount: 20.00, payee: Q }]
state: { left: 80.00 }
steps:
  look: { tool: look@1, times: ${look} }
  pay: { tool: bank.pay@1, times: ${times}${condition} }
rules: { ${rules.map((rule, index) => `r${index}: '${rule}'`).join(', ')} }
`;
  const { plan, faults } = compilePlan(text, { tools: TOOLS, sheets: [], tables: new Map() });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return readPlan(plan, [], { tools: TOOLS.map(canonicalText), tables: [] });
}

for (const plan of CONTRADICTIONS) {
  test(`no run can obey ${[plan.times, plan.where ?? [], plan.rules ?? []].flat().join(' | ')}`, (t) => {
    const beginning = { plan: planOf(plan), done: [], runContext: undefined };
    t.is(decide(abstractionProblem(beginning, allowancesOf(beginning.plan, [])), by).verdict, 'violated');
  });
}

for (const plan of [
  { times: '1..9', rules: ['pay.all(p, p.kind == "new")', 'pay.exists(p, p.kind == "new")'] },
  { times: '1..9', rules: ['pay.exists(p, p.amount >= 100.00)', 'sum(pay, p, p.amount) <= 100.00'] },
  { times: '2', rules: ['unique(pay, p, p.n)', 'pay.all(p, p.n <= 1)'] },
  { times: '1..9', rules: ['least(pay, p, p.amount) >= greatest(pay, p, p.amount)'] },
  { times: '1..9', where: 'state.left >= 80.00', rules: ['pay.all(p, p.amount > 1.00)'] },
  { times: '1', rules: ['pay.all(p, p.started_at >= approved_at)'] },
  {
    times: '1..9',
    where: 'args.invoice in approved',
    rules: ['count(pay, p, p.invoice == "A") >= 2', 'count(pay, p, p.invoice == "B") >= 2', 'count(pay) <= 4'],
  },
  {
    times: '1..9',
    where: 'args.invoice in approved',
    rules: ['sum(pay, p, approved[p.invoice].amount) == 50.00', 'unique(pay, p, p.n)'],
  },
  {
    times: '1..9',
    where: 'args.amount == approved[args.invoice].amount',
    rules: ['sum(pay, p, p.amount, p.invoice == "B") >= 40.00', 'count(pay, p, p.invoice == "B") <= 2'],
  },
]) {
  test(`a run can obey ${[plan.times, plan.where ?? [], plan.rules ?? []].flat().join(' | ')}`, (t) => {
    t.is(judgeCompletion({ plan: planOf(plan), actions: [] }, by).verdict, 'satisfied');
  });
}
