import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { asTruth, isFalse, knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import type { Scope } from '../../../../workers/verdict/elaborate/scope.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { fc } from '../../../kit/fast-check.ts';
import { type Meaning, meaningOf, type Table } from '../../../models/interpret.ts';
import { payDocument, payPlan, ruleOf, undone } from '../../../models/pay-plan.ts';

const AMOUNT = 'approved[p.invoice].amount';
const PAIR = 'pairs[[p.invoice, p.n]]';

const RULES = [
  'pay.all(p, p.n > 1)',
  'pay.all(p, p.n * p.m * p.m < 2)',
  `sum(pay, p, p.n * ${AMOUNT}, p.flag) * count(pay, p, p.flag) > 20`,
  'pay.exists(p, p.flag && p.n == 2)',
  'count(pay, p, p.flag) == 1',
  'sum(pay, p, p.n, p.flag) == 2',
  'sum(pay, p, p.m) > 0',
  'least(pay, p, p.m, p.flag) < 0',
  'greatest(pay, p, p.m, p.flag) > 0',
  'least(pay, p, p.m) == -1',
  'greatest(pay, p, p.n) == 2',
  `least(pay, p, ${AMOUNT}, p.flag) < 20`,
  `least(pay, p, p.m, ${AMOUNT} > 0) < 0`,
  'unique(pay, p, p.n)',
  'unique(pay, p, [p.n, p.flag], p.m > 0)',
  'pay.all(p, p.invoice in approved)',
  `pay.all(p, ${AMOUNT} > 0)`,
  `pay.exists(p, ${AMOUNT} > 20)`,
  `sum(pay, p, ${AMOUNT}) > 20`,
  `count(pay, p, ${AMOUNT} > 0) == 1`,
  `pay.all(p, p.flag == (${AMOUNT} > 0))`,
  `pay.all(p, (${AMOUNT} > 0) == p.flag)`,
  `pay.all(p, (${AMOUNT} > 0 ? p.n : p.m) > 0)`,
  'pay.all(p, p.flag ? p.n > 1 : p.m > 0)',
  `pay.all(p, ${AMOUNT} > 0 ? p.flag : p.n > 1)`,
  'pay.all(p, !(p.flag == (p.n > 1)))',
  `pay.all(p, p.flag ? ${AMOUNT} > 0 : p.n > 1)`,
  'pay.all(p, pay.exists(q, q.n == p.n && q.m != p.m))',
  'approved.all(a, count(pay, p, p.invoice == a.invoice) <= 1)',
  'pay.all(p, sum(pay, q, q.m, q.payee == p.payee) <= 1)',
  'pay.all(p, pay.all(q, q.n != p.n || q.payee == p.payee || q.flag))',
  'pay.all(p, min(p.n, p.m + 1) * 2 > max(p.m, 1) - 2)',
  'pay.all(p, approved.exists(a, a.invoice == p.invoice && p.payee == a.payee))',
  'pay.all(p, approved.exists(a, a.amount + p.n == 13))',
  'pay.all(p, seen[p.invoice].ok)',
  'pay.all(p, !seen[p.invoice].ok)',
  'pay.all(p, [p.invoice, p.n] in pairs)',
  `pay.all(p, ${PAIR}.ok)`,
  `pay.all(p, ${PAIR}.most == 6)`,
  `pay.all(p, ${PAIR}.who == "x")`,
  `pay.all(p, ${PAIR}.kind == "b")`,
];

const TABLES = `
  approved: { key: invoice, columns: { invoice: string(64), amount: int, payee: string(4) }, rows: [
    { invoice: A, amount: 30, payee: P }, { invoice: B, amount: -5, payee: Q }, { invoice: C, amount: 12, payee: P }] },
  seen: { key: id, columns: { id: string(64), ok: bool }, rows: [{ id: A, ok: true }, { id: B, ok: false }] },
  pairs: { key: [id, n], columns: { id: string(64), n: int, ok: bool, most: int, who: string(9), kind: "enum(a, b)" }, rows: [
    { id: A, n: 1, ok: true, most: 5, who: x, kind: a },
    { id: A, n: 2, ok: false, most: 6, who: y, kind: b },
    { id: B, n: 2, ok: true, most: 7, who: x, kind: b }] }`;
const PARTS = { tables: TABLES, rules: RULES };
const plan = payPlan(PARTS);
const document = payDocument(PARTS);
/** Numbers of rows are texts in a document. */
const toNumber = (value: unknown) => (/^-?\d+$/.test(`${value}`) ? Number(value) : value);
const tables = Object.fromEntries(
  Object.entries(document.tables).map(([name, table]) => {
    const inline = 'inline' in table ? table.inline : [];
    const rows = inline.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toNumber(value)])),
    );
    return [name, { key: table.key, rows }];
  }),
) as Readonly<Record<string, Table>>;

const paid = fc.record({
  n: fc.integer({ min: 0, max: 3 }),
  m: fc.integer({ min: -2, max: 2 }),
  flag: fc.boolean(),
  invoice: fc.constantFrom('A', 'A', 'B', 'C', 'Z'),
  payee: fc.constantFrom('P', 'Q'),
});
type Paid = typeof paid extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const NAMES = ['n', 'm', 'flag', 'invoice', 'payee'] as const;
const runs = fc.array(fc.record({ paid, known: fc.subarray([...NAMES]) }), { maxLength: 3 });
type Run = typeof runs extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What a rule means for a run, for an interpreter of its JSON. */
function meaningFor(rule: number, run: readonly Paid[]): Meaning {
  const acts = run.map((arg, position) => ({
    step: 'pay',
    position,
    arg,
    resp: {},
    started: 0,
    ended: 0,
    isDone: false,
  }));
  const world = { tables, names: {}, map: new Map(), acts, approvals: [], bound: new Map() };
  return meaningOf(document.constraints[rule]?.expr, world);
}

const toValue = (value: number | boolean | string): Value => (typeof value === 'number' ? BigInt(value) : value);
const endOf = (run: Run): Scope =>
  traceRun(
    plan,
    run.map(({ paid: values, known }, index) =>
      undone(plan, index, Object.fromEntries(known.map((name) => [name, toValue(values[name])]))),
    ),
  ).end;

/** Values of all open variables: those of the run, and the least and greatest values with which the facts are true. */
function completed({ session: { variables, facts } }: Scope, run: Run): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [index, one] of run.entries())
    for (const name of NAMES) values.set(`/actions/${index}/args/${name}`, toValue(one.paid[name]));
  const holds = () => facts.every(({ term }) => evaluate(term, values) !== false);
  for (const key of variables.keys()) {
    if (!key.startsWith('/extreme/')) continue;
    const fitting = Array.from({ length: 36 }, (_, at) => BigInt(at - 5)).filter((value) => {
      values.set(key, value);
      return holds();
    });
    values.set(key, fitting[0] ?? 99n);
    const isOfSome = fitting.length < 36;
    if (isOfSome && fitting.length !== 1) throw new Error(`${key} can be ${fitting}`);
  }
  if (!holds()) throw new Error('the facts are false');
  return values;
}

for (const [index, rule] of RULES.entries()) {
  test(`${rule} is right for a run of which a part is known, and decided for one that is known`, (t) => {
    const seen = new Set<Meaning>();
    fc.assert(
      fc.property(runs, (run) => {
        const expected = meaningFor(
          index,
          run.map((one) => one.paid),
        );
        const end = endOf(run);
        const truth = asTruth(elaborate(ruleOf(plan, index), end));
        const values = completed(end, run);
        // What is always true or false needs no second term.
        if (!/least|greatest|\w\[/.test(rule)) t.is(truth.isFalse, undefined);
        const found = [truth.isTrue, isFalse(truth)].map((term) => evaluate(term, values));
        t.deepEqual(found, [expected === true, expected === false]);
        const known = knownOutcome(truth);
        t.true(known === undefined || known === expected);
        seen.add(expected);
        const all = endOf(run.map((one) => ({ ...one, known: [...NAMES] })));
        const opened = all.session.variables.size;
        t.is<unknown, unknown>(knownOutcome(elaborate(ruleOf(plan, index), all)) ?? null, expected);
        t.is(all.session.variables.size, opened);
      }),
      { numRuns: 150, seed: 1 },
    );
    t.true(seen.has(true) && seen.has(false));
  });
}
