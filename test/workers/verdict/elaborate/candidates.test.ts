import test from 'ava';
import type { Expression, Quantified } from '../../../../workers/plan/language/terms.ts';
import { walkExpressions } from '../../../../workers/plan/language/walk.ts';
import { bindTo, candidatesOf } from '../../../../workers/verdict/elaborate/candidates.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { payPlan, ruleOf, undone } from '../../../models/pay-plan.ts';

/** The aggregate that is bound to `name`. */
function boundTo(name: string, rule: Expression): Quantified {
  const found: Quantified[] = [];
  walkExpressions([rule], (node) => {
    if ('range' in node && node.op !== 'unique' && node.binder === name) found.push(node);
  });
  const [first] = found;
  if (first === undefined) throw new Error(`nothing is bound to ${name}`);
  return first;
}

/** Rows A (30, P), B (-5, Q) and C (12, P). */
function rows(rule: string): string {
  const plan = payPlan({ given: 'who: "Q"', rules: [rule] });
  const { end } = traceRun(plan, []);
  const elements = candidatesOf(boundTo('a', ruleOf(plan)), end, elaborate);
  return elements
    .map((element) => (element.kind === 'row' ? element.row[element.table.positions.get('invoice') ?? 9] : ''))
    .join('');
}

for (const [rule, expected] of [
  ['approved.exists(a, a.payee == "P")', 'AC'],
  ['approved.exists(a, "P" == a.payee)', 'AC'],
  ['approved.exists(a, a.payee == who)', 'B'],
  ['approved.exists(a, a.payee == "nobody")', ''],
  ['approved.exists(a, a.payee == "P" && a.amount > 20)', 'AC'],
  ['approved.exists(a, a.amount > 20 && a.payee == "P")', 'AC'],
  ['approved.exists(a, a.payee == "P" && a.amount == 12)', 'C'],
  ['approved.exists(a, a.payee == "P" && a.amount + 1 == 13)', 'C'],
  ['approved.exists(a, a.amount * a.amount == 144)', 'C'],
  ['approved.exists(a, a.payee == "P" || a.amount == 12)', 'ABC'],
  ['approved.exists(a, !(a.payee != "P" || a.amount > 20))', 'AC'],
  ['approved.exists(a, a.payee != "P")', 'ABC'],
  ['approved.exists(a, a.amount > 20)', 'ABC'],
  ['approved.exists(a, a.payee == a.invoice)', 'ABC'],
  ['approved.all(a, a.payee != "P" || a.amount > 20)', 'AC'],
  ['approved.all(a, !(a.payee == "P" && a.amount > 20))', 'AC'],
  ['approved.all(a, a.payee == "P")', 'ABC'],
  ['approved.all(a, a.payee == "P" || a.amount > 20)', 'ABC'],
  ['count(approved, a, a.payee == "P") == 2', 'AC'],
  ['sum(approved, a, a.amount, a.payee == "P") == 42', 'AC'],
  ['sum(approved, a, a.amount) == 37', 'ABC'],
] as const) {
  test(`${rule} looks at the rows "${expected}"`, (t) => {
    t.is(rows(rule), expected);
  });
}

for (const [rule, name, found] of [
  // Which elements an aggregate within looks at, for each payment: A to P, Z to Q, an open invoice to P.
  ['pay.all(p, approved.exists(a, a.invoice == p.invoice && p.payee == a.payee))', 'a', [1, 0, 2]],
  ['pay.all(p, pay.exists(q, q.payee == p.payee))', 'q', [2, 1, 2]],
  ['pay.all(p, pay.exists(q, "P" == q.invoice))', 'q', [1, 1, 1]],
  ['pay.all(p, pay.exists(q, q.flag == before(p, q)))', 'q', [3, 3, 3]],
  ['pay.all(p, approved.exists(a, a.amount + p.n == 13))', 'a', [3, 3, 3]],
] as const) {
  test(`${rule} looks at ${found.join(', ')} elements`, (t) => {
    const plan = payPlan({ rules: [rule] });
    const args = [{ invoice: 'A', payee: 'P', n: 1n }, { invoice: 'Z', payee: 'Q', n: 1n }, { payee: 'P' }];
    const { end } = traceRun(
      plan,
      args.map((known, index) => undone(plan, index, known)),
    );
    const looked = (end.actions.get('pay') ?? []).map(
      (element) => candidatesOf(boundTo(name, ruleOf(plan)), bindTo(end, 'p', element), elaborate).length,
    );
    t.deepEqual(looked, [...found]);
  });
}
