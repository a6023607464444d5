import test from 'ava';
import { elaborate, fromTerm } from '../../../../workers/solver/elaborate/elaborate.ts';
import { asTruth, isFalse, isTruth } from '../../../../workers/solver/elaborate/kleene.ts';
import { evaluate } from '../../../../workers/solver/language/evaluate.ts';
import { literal, type Term, variable } from '../../../../workers/solver/language/terms.ts';
import type { Value } from '../../../../workers/solver/language/values.ts';
import { follow } from '../../../../workers/solver/run/course.ts';
import { outlookPlan, ruleOf, undone } from '../../../models/outlook-plan.ts';

const TABLES =
  'seen: { key: id, columns: { id: string(64), ok: bool }, rows: [{ id: A, ok: true }, { id: B, ok: false }] }';

/** Whether a rule is true, and whether it is false, for a payment of an invoice that is known or open. */
function truthFor(rule: string, invoice: string, isKnown: boolean) {
  const plan = outlookPlan({ tables: TABLES, rules: [rule] });
  const { end } = follow(plan, [undone(plan, 0, isKnown ? { invoice } : {})]);
  const truth = asTruth(elaborate(ruleOf(plan), end));
  const values = new Map<string, Value>([['/actions/0/args/invoice', invoice]]);
  return [truth.isTrue, isFalse(truth)].map((term) => evaluate(term, values));
}

for (const isKnown of [true, false]) {
  test(`a truth in a table is looked up by a key that is ${isKnown ? 'known' : 'open'}`, (t) => {
    const found = (rule: string) => ['A', 'B', 'Z'].map((invoice) => truthFor(rule, invoice, isKnown));
    const [yes, no, neither] = [
      [true, false],
      [false, true],
      [false, false],
    ];
    t.deepEqual(found('pay.all(p, seen[p.invoice].ok)'), [yes, no, neither]);
    t.deepEqual(found('pay.all(p, !seen[p.invoice].ok)'), [no, yes, neither]);
    t.deepEqual(found('pay.all(p, p.invoice in seen)'), [yes, yes, no]);
  });
}

test('a term is a truth or a quantity by its sort', (t) => {
  const plan = outlookPlan();
  const { end } = follow(plan, [undone(plan, 0)]);
  const one = literal(1n);
  const [flag, n] = [variable('/actions/0/args/flag'), variable('/actions/0/args/n')];
  const pair = { left: one, right: n };
  const truths: readonly Term[] = [
    ...[
      literal(true),
      flag,
      { op: 'not', arg: flag } as const,
      { op: 'ite', condition: flag, whenTrue: flag, whenFalse: flag } as const,
    ],
    ...(['and', 'or'] as const).map((op) => ({ op, args: [flag, flag] })),
    ...(['=', '<', '<='] as const).map((op) => ({ op, ...pair })),
  ];
  const quantities: readonly Term[] = [
    ...[one, n, literal('a'), { op: 'ite', condition: flag, whenTrue: one, whenFalse: n } as const],
    { op: '+', args: [one, n] },
    ...(['*', 'div', 'mod'] as const).map((op) => ({ op, arg: n, by: 2n })),
    ...(['min', 'max'] as const).map((op) => ({ op, ...pair })),
  ];
  for (const term of truths) t.deepEqual(fromTerm(term, end), { isTrue: term, isFalse: undefined }, term.op);
  for (const term of quantities) t.false(isTruth(fromTerm(term, end)), term.op);
});
