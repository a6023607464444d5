import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { compilePlan } from '../../../../workers/plan/text/compile-plan.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { by, decisionOn } from '../../../models/abstracted-plan.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

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

/** How often it is paid, the rules, the condition of a payment, and how often it is looked. */
type Case = readonly [times: string, rules: readonly string[], where?: string | undefined, look?: string];
const IN = 'args.invoice in approved';
const AMOUNT = 'args.amount == approved[args.invoice].amount';
const countOf = (invoice: string) => `count(pay, p, p.invoice == "${invoice}")`;

function planOf([times, rules, where, look = '0..1']: Case): Plan {
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

const CONTRADICTIONS: readonly Case[] = [
  ['0..5', ['sum(pay, p, p.amount) >= 100.00'], 'args.amount <= 10.00'],
  ['2..3', ['state.left >= 0.00'], 'args.amount >= 50.00'],
  ['3..9', ['unique(pay, p, p.invoice)'], IN],
  ['3..9', ['unique(pay, p, p.invoice)'], AMOUNT],
  ['1..9', ['sum(pay, p, p.amount) >= 10.00', 'pay.all(p, p.amount > 20.00)'], AMOUNT],
  ['1..9', ['pay.all(p, p.kind == "new")', 'pay.exists(p, p.kind == "old")']],
  ['1..9', ['pay.all(p, p.payee == "x")', 'pay.exists(p, p.payee == "y")']],
  ['1..2', ['pay.all(p, p.n > 5)', 'sum(pay, p, p.n) < 5']],
  ['2', ['pay.all(p, pay.all(q, p.n != q.n))']],
  ['1..50', ['count(pay) * 2 == 7']],
  ['1..5', ['approvals >= 5', 'approvals <= 3']],
  ['0..3', ['sum(pay, p, p.amount) > 10.00', 'sum(pay, p, p.amount) < 5.00']],
  ['0..9', ['sum(pay, p, p.amount) == 0.005']],
  ['1..9', [], 'args.flag && !args.flag'],
  ['1..9', ['pay.all(p, p.invoice == "C")'], IN],
  ['1..9', ['pay.all(p, !(p.invoice in approved))', 'approved.all(a, pay.exists(p, p.invoice == a.invoice))']],
  ['0..9', ['greatest(pay, p, p.amount) > 10.00', 'pay.all(p, p.amount <= 10.00)']],
  ['1..9', ['least(pay, p, p.amount) > greatest(pay, p, p.amount)']],
  ['1..9', ['state.left > 80.00']],
  ['1..9', ['state.left == 80.00', 'pay.all(p, p.amount > 0.00)']],
  ['1..9', [], 'state.left < 0.00'],
  ['1..9', ['count(look) > count(pay)', 'count(pay) >= 9'], undefined, '0..9'],
  ['1..100', ['count(pay) - 2 * (count(pay) / 2) == 1', 'count(pay) - 4 * (count(pay) / 4) == 2']],
  ['1..9', ['pay.all(p, p.response.fee > 5.00)', 'sum(pay, p, p.response.fee) < 5.00']],
  ['3..300', ['sum(pay, p, p.amount * 3) <= 9.00', 'pay.all(p, p.amount >= 3.01)']],
  // What follows from how often each row of a table is used.
  ['1..9', [`${countOf('A')} >= 2`, `${countOf('B')} >= 2`, 'count(pay) <= 3'], IN],
  ['1..9', ['pay.exists(p, p.invoice == "A")', 'pay.exists(p, p.invoice == "B")', 'count(pay) <= 1'], IN],
  ['1..9', ['sum(pay, p, approved[p.invoice].amount) == 25.00'], IN],
  [
    '1..9',
    ['pay.all(p, p.invoice == "A") || count(pay) >= 5', 'pay.exists(p, p.invoice == "B")', 'count(pay) <= 4'],
    IN,
  ],
  ['1..9', ['sum(pay, p, p.amount, p.invoice == "B") >= 30.00', `${countOf('B')} <= 1`], AMOUNT],
  ['2..9', ['unique(pay, p, approved[p.invoice].payee)', `${countOf('A')} >= 2`], IN],
];

/** Plans that differ little from those above. */
const POSSIBLE: readonly Case[] = [
  ['1..9', ['pay.all(p, p.kind == "new")', 'pay.exists(p, p.kind == "new")']],
  ['1..9', ['pay.exists(p, p.amount >= 100.00)', 'sum(pay, p, p.amount) <= 100.00']],
  ['2', ['unique(pay, p, p.n)', 'pay.all(p, p.n <= 1)']],
  ['1..9', ['least(pay, p, p.amount) >= greatest(pay, p, p.amount)']],
  ['1..9', ['pay.all(p, p.amount > 1.00)'], 'state.left >= 80.00'],
  ['1', ['pay.all(p, p.started_at >= approved_at)']],
  ['1..9', [`${countOf('A')} >= 2`, `${countOf('B')} >= 2`, 'count(pay) <= 4'], IN],
  ['1..9', ['sum(pay, p, approved[p.invoice].amount) == 50.00', 'unique(pay, p, p.n)'], IN],
  ['1..9', ['sum(pay, p, p.amount, p.invoice == "B") >= 40.00', `${countOf('B')} <= 2`], AMOUNT],
];

for (const plan of CONTRADICTIONS) {
  test(`no run can obey ${plan.flat().join(' | ')}`, (t) => {
    t.is(decisionOn(planOf(plan)).verdict, 'violated');
  });
}

for (const plan of POSSIBLE) {
  test(`a run can obey ${plan.flat().join(' | ')}`, (t) => {
    t.is(judgeCompletion({ plan: planOf(plan), actions: [] }, by).verdict, 'satisfied');
  });
}
