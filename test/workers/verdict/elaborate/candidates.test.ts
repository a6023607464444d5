import test from 'ava';
import type { Expression, Quantified } from '../../../../workers/plan/language/terms.ts';
import { walkExpressions } from '../../../../workers/plan/language/walk.ts';
import { bindTo, candidatesOf } from '../../../../workers/verdict/elaborate/candidates.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { openAction, payPlan, ruleOf, stepOf, undone } from '../../../models/pay-plan.ts';

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

test('an inner aggregate looks at the rows that its equality with an outer element needs', (t) => {
  const plan = payPlan({
    rules: ['pay.all(p, approved.exists(a, a.invoice == p.invoice && p.payee == a.payee))'],
  });
  const { situation } = openAction(plan, stepOf(plan));
  const node = boundTo('a', ruleOf(plan));
  const candidates = (invoice: string | undefined) => {
    const { end } = traceRun(plan, [undone(plan, 0, invoice === undefined ? undefined : { invoice, payee: 'P' })]);
    const [element] = end.actions.get('pay') ?? [];
    if (element === undefined) throw new Error('no action');
    return candidatesOf(node, bindTo(end, 'p', element), elaborate).length;
  };
  t.deepEqual([candidates('C'), candidates('Z'), candidates(undefined)], [1, 0, 3]);
  t.is(candidatesOf(boundTo('p', ruleOf(plan)), situation, elaborate).length, 0);
});

test('an equality whose sides both depend on outer elements does not choose among the rows', (t) => {
  const truthWith = (...numbers: readonly bigint[]) => {
    const plan = payPlan({ rules: ['pay.exists(p, approved.exists(a, a.amount + p.n == 13))'] });
    const actions = numbers.map((n, index) => undone(plan, index, { n }));
    return knownOutcome(elaborate(ruleOf(plan), traceRun(plan, actions).end));
  };
  t.false(truthWith(2n, 3n));
  t.true(truthWith(2n, 1n));
});

test('elements whose value is open are looked at as well', (t) => {
  const plan = payPlan({ rules: ['pay.exists(p, p.payee == "P")'] });
  const actions = ['P', 'Q', undefined, 'P'].map((payee, index) =>
    undone(plan, index, payee === undefined ? undefined : { payee }),
  );
  const { end } = traceRun(plan, actions);
  const found = candidatesOf(boundTo('p', ruleOf(plan)), end, elaborate);
  t.deepEqual(
    found.map((element) => (element.kind === 'action' ? element.position : undefined)),
    [0, 3, 2],
  );
});

test('an equality with the order of two elements does not choose among them', (t) => {
  const plan = payPlan({ rules: ['pay.all(p, pay.exists(q, q.flag == before(p, q)))'] });
  const { end } = traceRun(
    plan,
    [true, false].map((flag, index) => undone(plan, index, { flag })),
  );
  for (const element of end.actions.get('pay') ?? []) {
    t.is(candidatesOf(boundTo('q', ruleOf(plan)), bindTo(end, 'p', element), elaborate).length, 2);
  }
});
