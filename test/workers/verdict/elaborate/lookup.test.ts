import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { asTruth, isFalse } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { payPlan, ruleOf, undone } from '../../../models/pay-plan.ts';

const TABLES = `
  seen: { key: id, columns: { id: string(64), ok: bool }, rows: [{ id: A, ok: true }, { id: B, ok: false }] },
  pairs: {
    key: [id, n],
    columns: { id: string(64), n: int, ok: bool, most: int, who: string(9), kind: "enum(a, b)" },
    rows: [
      { id: A, n: 1, ok: true, most: 5, who: x, kind: a },
      { id: A, n: 2, ok: false, most: 6, who: y, kind: b },
      { id: B, n: 2, ok: true, most: 7, who: x, kind: b },
    ],
  }`;

/** Whether a rule is true, and whether it is false, for one payment of which only these arguments are known. */
function truthFor(rule: string, args: Readonly<Record<string, Value>>, known: readonly string[]) {
  const plan = payPlan({ tables: TABLES, rules: [rule] });
  const isKnown = ([name]: readonly [string, Value]) => known.includes(name);
  const { end } = traceRun(plan, [undone(plan, 0, Object.fromEntries(Object.entries(args).filter(isKnown)))]);
  const truth = asTruth(elaborate(ruleOf(plan), end));
  const values = new Map(Object.entries(args).map(([name, value]) => [`/actions/0/args/${name}`, value]));
  return [truth.isTrue, isFalse(truth)].map((term) => evaluate(term, values));
}

const [YES, NO, NEITHER] = [
  [true, false],
  [false, true],
  [false, false],
];

for (const known of [['invoice', 'n'], ['invoice'], ['n'], []]) {
  const what = known.length === 0 ? 'nothing of the key' : known.join(' and ');
  test(`a row is found by its key if ${what} is known`, (t) => {
    const found = (rule: string) => ['A', 'B', 'Z'].map((invoice) => truthFor(rule, { invoice, n: 1n }, known));
    t.deepEqual(found('pay.all(p, seen[p.invoice].ok)'), [YES, NO, NEITHER]);
    t.deepEqual(found('pay.all(p, !seen[p.invoice].ok)'), [NO, YES, NEITHER]);
    t.deepEqual(found('pay.all(p, p.invoice in seen)'), [YES, YES, NO]);
    const ofPair = (rule: string) =>
      [
        ['A', 1n],
        ['A', 2n],
        ['B', 1n],
        ['B', 2n],
      ].map(([invoice = '', n = 0n]) => truthFor(rule, { invoice, n }, known));
    t.deepEqual(ofPair('pay.all(p, [p.invoice, p.n] in pairs)'), [YES, YES, NO, YES]);
    t.deepEqual(ofPair('pay.all(p, pairs[[p.invoice, p.n]].ok)'), [YES, NO, NEITHER, YES]);
    t.deepEqual(ofPair('pay.all(p, pairs[[p.invoice, p.n]].most == 6)'), [NO, YES, NEITHER, NO]);
    t.deepEqual(ofPair('pay.all(p, pairs[[p.invoice, p.n]].who == "x")'), [YES, NO, NEITHER, YES]);
    t.deepEqual(ofPair('pay.all(p, pairs[[p.invoice, p.n]].kind == "b")'), [NO, YES, NEITHER, YES]);
  });
}
