import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import { elaborate, fromTerm } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { isTruth } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { payPlan, ruleOf, undone } from '../../../models/pay-plan.ts';

test('a term is a truth or a quantity by its sort', (t) => {
  const plan = payPlan();
  const { end } = traceRun(plan, [undone(plan, 0)]);
  const one = literal(1n);
  const [flag, n] = [variable('/actions/0/args/flag'), variable('/actions/0/args/n')];
  const pair = { left: one, right: n };
  const truths: readonly Term[] = [
    literal(true),
    flag,
    { op: 'not', arg: flag },
    { op: 'ite', condition: flag, whenTrue: flag, whenFalse: flag },
    ...(['and', 'or'] as const).map((op) => ({ op, args: [flag, flag] })),
    ...(['=', '<', '<='] as const).map((op) => ({ op, ...pair })),
  ];
  const quantities: readonly Term[] = [
    one,
    n,
    literal('a'),
    { op: 'ite', condition: flag, whenTrue: one, whenFalse: n },
    { op: '+', args: [one, n] },
    ...(['*', 'div'] as const).map((op) => ({ op, arg: n, by: 2n })),
    ...(['min', 'max', 'times'] as const).map((op) => ({ op, ...pair })),
  ];
  for (const term of truths) t.deepEqual(fromTerm(term, end), { isTrue: term, isFalse: undefined }, term.op);
  for (const term of quantities) t.false(isTruth(fromTerm(term, end)), term.op);
});

test('what a factor was found to be is a fact, which the solver checks', (t) => {
  const plan = payPlan({ rules: ['sum(pay, p, p.n) * count(pay, p, p.flag) == 3'] });
  const { end } = traceRun(plan, [undone(plan, 0, { n: 3n })]);
  elaborate(ruleOf(plan), end);
  const sum: Term = { op: '+', args: [literal(3n)] };
  t.deepEqual(end.session.facts, [{ id: '/derived/0', term: { op: '=', left: literal(3n), right: sum } }]);
});
