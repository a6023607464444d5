import test from 'ava';
import {
  type Expression,
  literal,
  type Quantified,
  type Unique,
  variable,
} from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import type { ActionElement } from '../../../../workers/verdict/elaborate/element.ts';
import { isTruth, knownOutcome, type Outcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { overRows } from '../../../../workers/verdict/search/over-rows.ts';
import { payPlan, ruleOf } from '../../../models/pay-plan.ts';

/** Rows that actions may have. The second and the third agree in `n`. */
const ROWS = (
  [
    [3n, -1n, true, 'A'],
    [1n, 2n, false, 'B'],
    [1n, 0n, true, 'X'],
  ] as const
).map(([n, m, flag, invoice]) => new Map<string, Value>(Object.entries({ n, m, flag, invoice })));
const COUNTED = ROWS.map((args, index) => ({ args, times: variable(`${index}`) }));

function aggregateIn(rule: Expression): Quantified | Unique {
  const node = 'left' in rule ? rule.left : rule;
  if (!('range' in node)) throw new Error(node.op);
  return node;
}

const planWith = (rule: string) => payPlan({ given: 'two: 2', state: 'left: 3', rules: [rule] });
const situationOf = (plan: Plan) => traceRun(plan, []).end;

function overRule(rule: string, rows: Parameters<typeof overRows>[1] = COUNTED): Outcome | undefined {
  const plan = planWith(rule);
  return overRows(aggregateIn(ruleOf(plan)), rows, situationOf(plan));
}

/** The value over actions that are written out. */
function writtenOut(rule: string, counts: readonly number[]): Value | undefined {
  const plan = planWith(rule);
  const none = { resp: new Map(), started: literal(0n), ended: literal(0n), span: undefined };
  const actions = counts
    .flatMap((count, row) => Array.from({ length: count }, () => [...(ROWS[row] ?? [])]))
    .map((args, position): ActionElement => {
      return { kind: 'action', position, arg: new Map(args.map(([name, value]) => [name, literal(value)])), ...none };
    });
  return knownOutcome(
    elaborate(aggregateIn(ruleOf(plan)), { ...situationOf(plan), actions: new Map([['pay', actions]]) }),
  );
}

function valueAt(outcome: Outcome, counts: readonly number[]): Value | undefined {
  const values = new Map(counts.map((count, index) => [`${index}`, BigInt(count)]));
  return evaluate(isTruth(outcome) ? outcome.isTrue : outcome.value, values);
}

const COUNTS = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])));

for (const rule of [
  'count(pay) < 9',
  'count(pay, p, p.n == 1) < 9',
  'count(pay, p, p.invoice in approved) < 9',
  'sum(pay, p, p.n) < 9',
  'sum(pay, p, p.n - p.m * 3 + two) < 9',
  'sum(pay, p, p.n, p.flag) < 9',
  'sum(pay, p, approved[p.invoice].amount, p.n == two + 1) < 9',
  'pay.all(p, p.n > 1)',
  'pay.all(p, p.flag)',
  'pay.all(p, p.flag || p.m > 1)',
  'pay.all(p, !p.flag || p.n > 1)',
  'pay.exists(p, p.n > 1)',
  'pay.exists(p, p.m > 5)',
  'pay.exists(p, p.flag && p.n < 2)',
  'pay.exists(p, approved.exists(a, a.invoice == p.invoice && a.amount > 20))',
  'unique(pay, p, p.n)',
  'unique(pay, p, p.invoice)',
  'unique(pay, p, [p.n, p.flag])',
  'unique(pay, p, p.n, p.flag)',
]) {
  test(`how often each row is used decides ${rule}`, (t) => {
    const outcome = overRule(rule);
    if (outcome === undefined) return t.fail('not decided');
    for (const counts of COUNTS) t.is(valueAt(outcome, counts), writtenOut(rule, counts), counts.join());
    const overNone = overRule(rule, []);
    t.is(overNone && valueAt(overNone, []), writtenOut(rule, []), 'no rows');
  });
}

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
  test(`rows do not decide what depends on ${what}`, (t) => {
    t.is(overRule(rule), undefined);
  });
}
