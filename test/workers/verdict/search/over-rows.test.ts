import test from 'ava';
import { variable } from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { overRows } from '../../../../workers/verdict/search/over-rows.ts';
import { payPlan, ruleOf } from '../../../models/pay-plan.ts';

/** Rows that actions may have, and variables for how many have each. */
const ROWS = (
  [
    [3n, -1n, true, 'A'],
    [1n, 2n, false, 'X'],
  ] as const
).map(([n, m, flag, invoice], index) => {
  return { args: new Map<string, Value>(Object.entries({ n, m, flag, invoice })), times: variable(`${index}`) };
});

function isDecided(rule: string): boolean {
  const plan = payPlan({ rules: [rule] });
  const expression = ruleOf(plan);
  const node = 'left' in expression ? expression.left : expression;
  if (!('range' in node)) throw new Error(node.op);
  return overRows(node, ROWS, traceRun(plan, []).end) !== undefined;
}

test('how often each row is used decides what depends on arguments that the rows give', (t) => {
  for (const rule of [
    'count(pay, p, p.invoice in approved) < 9',
    'sum(pay, p, p.n - p.m * 3, p.flag) < 9',
    'pay.all(p, !p.flag || p.n > 1)',
    'pay.exists(p, approved.exists(a, a.invoice == p.invoice && a.amount > 20))',
    'unique(pay, p, [p.n, p.flag], p.m > 1)',
  ]) {
    t.true(isDecided(rule), rule);
  }
});

for (const [what, rule] of [
  ['an argument that the rows do not give', 'pay.all(p, p.free > 1)'],
  ['an argument that the rows do not give, in the condition', 'count(pay, p, p.free > 1) < 9'],
  ['an argument that the rows do not give, in a key', 'unique(pay, p, p.free)'],
  ['the response', 'sum(pay, p, p.response.fee) < 9'],
  ['when an action starts', 'pay.all(p, p.started_at > approved_at)'],
  ['the order of actions', 'pay.all(p, pay.all(q, before(p, q) || p.n > 1))'],
  ['the order of actions, the other way', 'pay.all(p, pay.all(q, before(q, p) || p.n > 1))'],
  ['how many approve', 'pay.all(p, p.n < approvals)'],
  ['how many approve, in a sum', 'sum(pay, p, p.n + approvals) < 9'],
  ['how many approve, in a key', 'unique(pay, p, p.n + approvals)'],
  ['a row that is not there', 'pay.all(p, approved[p.invoice].amount > -9)'],
  ['a row that is not there, in a sum', 'sum(pay, p, approved[p.invoice].amount) < 9'],
  ['which one is the least', 'least(pay, p, p.n) < 9'],
  ['which one is the greatest', 'greatest(pay, p, p.n) < 9'],
] as const) {
  test(`rows do not decide what depends on ${what}`, (t) => t.false(isDecided(rule)));
}
