import test from 'ava';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { by } from '../../../models/abstracted-plan.ts';
import { payPlan } from '../../../models/pay-plan.ts';

/** How often it is paid, the rules, and the condition of a payment. */
type Case = readonly [times: string, rules: readonly string[], where?: string];
const IN = 'args.invoice in approved';
const AMOUNT = 'args.free == approved[args.invoice].free';
const countOf = (invoice: string) => `count(pay, p, p.invoice == "${invoice}")`;

const TABLES =
  'approved: { key: invoice, columns: { invoice: string(64), free: int, payee: string(4) }, rows: [{ invoice: A, free: 10, payee: P }, { invoice: B, free: 20, payee: Q }] }';

function verdictOn([times, rules, where]: Case): string {
  const plan = payPlan({
    tables: TABLES,
    state: 'left: 80',
    pay: `times: ${times}, effects: { left: state.left - args.n }${where === undefined ? '' : `, where: '${where}'`}`,
    steps: 'look: { tool: look@1, times: 0..9 }',
    rules,
  });
  return judgeCompletion({ plan, actions: [] }, by).verdict;
}

const CONTRADICTIONS: readonly Case[] = [
  ['3..9', ['unique(pay, p, p.invoice)'], IN],
  ['3..9', ['unique(pay, p, p.invoice)'], AMOUNT],
  ['1..9', ['sum(pay, p, p.free) >= 10', 'pay.all(p, p.free > 20)'], AMOUNT],
  ['1..9', ['pay.all(p, p.kind == "new")', 'pay.exists(p, p.kind == "old")']],
  ['1..9', ['pay.all(p, p.payee == "x")', 'pay.exists(p, p.payee == "y")']],
  ['1..2', ['pay.all(p, p.n > 2)', 'sum(pay, p, p.n) < 3']],
  ['2..2', ['pay.all(p, pay.all(q, p.n != q.n))']],
  ['1..50', ['count(pay) * 2 == 7']],
  ['1..5', ['approvals >= 5', 'approvals <= 3']],
  ['0..3', ['sum(pay, p, p.free) > 10', 'sum(pay, p, p.free) < 5']],
  ['1..9', [], 'args.flag && !args.flag'],
  ['1..9', ['pay.all(p, p.invoice == "C")'], IN],
  ['1..9', ['pay.all(p, !(p.invoice in approved))', 'approved.all(a, pay.exists(p, p.invoice == a.invoice))']],
  ['0..9', ['greatest(pay, p, p.free) > 10', 'pay.all(p, p.free <= 10)']],
  ['1..9', ['least(pay, p, p.free) > greatest(pay, p, p.free)']],
  ['1..9', ['state.left == 80', 'pay.all(p, p.n > 0)']],
  ['1..9', [], 'state.left < 0'],
  ['1..9', ['count(look) > count(pay)', 'count(pay) >= 9']],
  ['1..100', ['count(pay) - 2 * (count(pay) / 2) == 1', 'count(pay) - 4 * (count(pay) / 4) == 2']],
  ['1..9', ['pay.all(p, p.response.fee > 5)', 'sum(pay, p, p.response.fee) < 5']],
  ['3..300', ['sum(pay, p, p.n * 3) <= 9', 'pay.all(p, p.n >= 2)']],
  // What follows from how often each row of a table is used.
  ['1..9', [`${countOf('A')} >= 2`, `${countOf('B')} >= 2`, 'count(pay) <= 3'], IN],
  ['1..9', ['pay.exists(p, p.invoice == "A")', 'pay.exists(p, p.invoice == "B")', 'count(pay) <= 1'], IN],
  ['1..9', ['sum(pay, p, approved[p.invoice].free) == 25'], IN],
  ['1..9', ['pay.all(p, p.invoice == "A") || count(pay) > 4', `${countOf('B')} > 0`, 'count(pay) <= 4'], IN],
  ['1..9', ['sum(pay, p, p.free, p.invoice == "B") >= 30', `${countOf('B')} <= 1`], AMOUNT],
  ['2..9', ['unique(pay, p, approved[p.invoice].payee)', `${countOf('A')} >= 2`], IN],
];

/** Plans that differ little from those above. */
const POSSIBLE: readonly Case[] = [
  ['1..9', ['pay.all(p, p.kind == "new")', 'pay.exists(p, p.kind == "new")']],
  ['1..9', ['least(pay, p, p.free) >= greatest(pay, p, p.free)']],
  ['1..9', ['pay.all(p, p.n > 1)'], 'state.left >= 80'],
  ['1..9', [`${countOf('A')} >= 2`, `${countOf('B')} >= 2`, 'count(pay) <= 4'], IN],
  ['1..9', ['sum(pay, p, approved[p.invoice].free) == 50', 'unique(pay, p, p.n)'], IN],
  ['1..9', ['sum(pay, p, p.free, p.invoice == "B") >= 40', `${countOf('B')} <= 2`], AMOUNT],
];

for (const [verdict, plans] of [
  ['violated', CONTRADICTIONS],
  ['satisfied', POSSIBLE],
] as const) {
  for (const plan of plans) {
    test(`${verdict}: ${plan.flat().join(' | ')}`, (t) => {
      t.is(verdictOn(plan), verdict);
    });
  }
}
