import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { asTruth, isFalse, knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import type { Scope } from '../../../../workers/verdict/elaborate/scope.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { fc } from '../../../kit/fast-check.ts';
import { payPlan, ruleOf, undone } from '../../../models/pay-plan.ts';

interface Paid {
  readonly n: bigint;
  readonly m: bigint;
  readonly flag: boolean;
  readonly invoice: string;
  readonly payee: string;
}

type Meaning = boolean | undefined;

/** The amounts of the table `approved`. */
const AMOUNTS = new Map([
  ['A', 30n],
  ['B', -5n],
  ['C', 12n],
]);
const amountOf = ({ invoice }: Paid) => AMOUNTS.get(invoice);

const total = (numbers: readonly bigint[]) => numbers.reduce((sum, number) => sum + number, 0n);
const least = (numbers: readonly bigint[]) => numbers.toSorted((a, b) => Number(a - b))[0];
const areListed = (run: readonly Paid[]) => run.every((paid) => amountOf(paid) !== undefined);
const isDouble = (keys: readonly string[]) => new Set(keys).size < keys.length;
/** All are true. One that is false decides, whatever is undefined. */
const all = (truths: readonly Meaning[]): Meaning =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
const negated = (truth: Meaning): Meaning => (truth === undefined ? undefined : !truth);
const above = (amount: bigint | undefined, limit: bigint): Meaning =>
  amount === undefined ? undefined : amount > limit;

/** Rules, and what they mean for a run. Undefined: a row or a value that they need is missing. */
const RULES: readonly (readonly [string, (run: readonly Paid[]) => Meaning])[] = [
  ['pay.all(p, p.n > 1)', (run) => run.every(({ n }) => n > 1n)],
  ['pay.exists(p, p.flag && p.n == 2)', (run) => run.some(({ n, flag }) => flag && n === 2n)],
  ['count(pay, p, p.flag) == 1', (run) => run.filter(({ flag }) => flag).length === 1],
  ['sum(pay, p, p.n, p.flag) == 2', (run) => total(run.filter(({ flag }) => flag).map(({ n }) => n)) === 2n],
  ['sum(pay, p, p.m) > 0', (run) => total(run.map(({ m }) => m)) > 0n],
  [
    'least(pay, p, p.m, p.flag) < 0',
    (run) => {
      const found = least(run.filter(({ flag }) => flag).map(({ m }) => m));
      return found === undefined ? undefined : found < 0n;
    },
  ],
  [
    'greatest(pay, p, p.m, p.flag) > 0',
    (run) => negated(above(least(run.filter(({ flag }) => flag).map(({ m }) => -m)), -1n)),
  ],
  ['least(pay, p, p.m) == -1', (run) => (run.length === 0 ? undefined : least(run.map(({ m }) => m)) === -1n)],
  ['greatest(pay, p, p.n) == 2', (run) => (run.length === 0 ? undefined : least(run.map(({ n }) => -n)) === -2n)],
  [
    'least(pay, p, approved[p.invoice].amount, p.flag) < 20',
    (run) => {
      const flagged = run.filter(({ flag }) => flag);
      const found = least(flagged.flatMap((paid) => amountOf(paid) ?? []));
      return found === undefined || !areListed(flagged) ? undefined : found < 20n;
    },
  ],
  [
    'least(pay, p, p.m, approved[p.invoice].amount > 0) < 0',
    (run) => {
      const found = least(run.filter((paid) => above(amountOf(paid), 0n) === true).map(({ m }) => m));
      return found === undefined || !areListed(run) ? undefined : found < 0n;
    },
  ],
  ['unique(pay, p, p.n)', (run) => !isDouble(run.map(({ n }) => `${n}`))],
  [
    'unique(pay, p, [p.n, p.flag], p.m > 0)',
    (run) => !isDouble(run.filter(({ m }) => m > 0n).map(({ n, flag }) => `${n} ${flag}`)),
  ],
  ['pay.all(p, p.invoice in approved)', areListed],
  ['pay.all(p, approved[p.invoice].amount > 0)', (run) => all(run.map((paid) => above(amountOf(paid), 0n)))],
  [
    'pay.exists(p, approved[p.invoice].amount > 20)',
    (run) => negated(all(run.map((paid) => negated(above(amountOf(paid), 20n))))),
  ],
  [
    'sum(pay, p, approved[p.invoice].amount) > 20',
    (run) => (areListed(run) ? total(run.map((paid) => amountOf(paid) ?? 0n)) > 20n : undefined),
  ],
  [
    'count(pay, p, approved[p.invoice].amount > 0) == 1',
    (run) => (areListed(run) ? run.filter((paid) => above(amountOf(paid), 0n) === true).length === 1 : undefined),
  ],
  [
    'pay.all(p, p.flag == (approved[p.invoice].amount > 0))',
    (run) =>
      all(
        run.map((paid) => {
          const isAbove = above(amountOf(paid), 0n);
          return isAbove === undefined ? undefined : paid.flag === isAbove;
        }),
      ),
  ],
  [
    'pay.all(p, (approved[p.invoice].amount > 0) == p.flag)',
    (run) =>
      all(
        run.map((paid) => {
          const isAbove = above(amountOf(paid), 0n);
          return isAbove === undefined ? undefined : paid.flag === isAbove;
        }),
      ),
  ],
  [
    'pay.all(p, (approved[p.invoice].amount > 0 ? p.n : p.m) > 0)',
    (run) =>
      all(
        run.map((paid) => {
          const isAbove = above(amountOf(paid), 0n);
          return isAbove === undefined ? undefined : (isAbove ? paid.n : paid.m) > 0n;
        }),
      ),
  ],
  ['pay.all(p, p.flag ? p.n > 1 : p.m > 0)', (run) => run.every(({ n, m, flag }) => (flag ? n > 1n : m > 0n))],
  ['pay.all(p, !(p.flag == (p.n > 1)))', (run) => run.every(({ n, flag }) => flag !== n > 1n)],
  [
    'pay.all(p, p.flag ? approved[p.invoice].amount > 0 : p.n > 1)',
    (run) => all(run.map((paid) => (paid.flag ? above(amountOf(paid), 0n) : paid.n > 1n))),
  ],
  [
    'pay.all(p, pay.exists(q, q.n == p.n && q.m != p.m))',
    (run) => run.every(({ n, m }) => run.some((other) => other.n === n && other.m !== m)),
  ],
  [
    'approved.all(a, count(pay, p, p.invoice == a.invoice) <= 1)',
    (run) => [...AMOUNTS.keys()].every((key) => run.filter(({ invoice }) => invoice === key).length <= 1),
  ],
  [
    'pay.all(p, sum(pay, q, q.m, q.payee == p.payee) <= 1)',
    (run) => run.every(({ payee }) => total(run.filter((other) => other.payee === payee).map(({ m }) => m)) <= 1n),
  ],
  [
    'pay.all(p, pay.all(q, q.n != p.n || q.payee == p.payee || q.flag))',
    (run) => run.every((one) => run.every((other) => other.n !== one.n || other.payee === one.payee || other.flag)),
  ],
  [
    'pay.all(p, min(p.n, p.m + 1) * 2 > max(p.m, 1) - 2)',
    (run) => run.every(({ n, m }) => (n < m + 1n ? n : m + 1n) * 2n > (m > 1n ? m : 1n) - 2n),
  ],
];

const plan = payPlan({ rules: RULES.map(([rule]) => rule) });
const NAMES = ['n', 'm', 'flag', 'invoice', 'payee'] as const;

const paid = fc.record<Paid>({
  n: fc.bigInt({ min: 0n, max: 3n }),
  m: fc.bigInt({ min: -2n, max: 2n }),
  flag: fc.boolean(),
  invoice: fc.constantFrom('A', 'A', 'B', 'C', 'Z'),
  payee: fc.constantFrom('P', 'Q'),
});
const runs = fc.array(fc.record({ paid, known: fc.subarray([...NAMES]) }), { maxLength: 3 });
type Run = typeof runs extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const endOf = (run: Run): Scope =>
  traceRun(
    plan,
    run.map(({ paid: values, known }, index) =>
      undone(plan, index, Object.fromEntries(known.map((name) => [name, values[name]]))),
    ),
  ).end;

/** Values of all open variables: those of the run, and the least and greatest values with which the facts are true. */
function completed({ session: { variables, facts } }: Scope, run: Run): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [index, one] of run.entries())
    for (const name of NAMES) values.set(`/actions/${index}/args/${name}`, one.paid[name]);
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

for (const [index, [rule, meaning]] of RULES.entries()) {
  test(`${rule} is right for a run of which a part is known`, (t) => {
    const seen = new Set<Meaning>();
    fc.assert(
      fc.property(runs, (run) => {
        const end = endOf(run);
        const truth = asTruth(elaborate(ruleOf(plan, index), end));
        const values = completed(end, run);
        // What is always true or false needs no second term.
        if (!/least|greatest|approved\[/.test(rule)) t.is(truth.isFalse, undefined);
        const expected = meaning(run.map((one) => one.paid));
        const found = [truth.isTrue, isFalse(truth)].map((term) => evaluate(term, values));
        t.deepEqual(found, [expected === true, expected === false]);
        const known = knownOutcome(truth);
        t.true(known === undefined || known === expected);
        seen.add(expected);
      }),
      { numRuns: 150, seed: 1 },
    );
    t.true(seen.has(true) && seen.has(false));
  });

  test(`${rule} is decided for a run that is known`, (t) => {
    fc.assert(
      fc.property(fc.array(paid, { maxLength: 4 }), (run) => {
        const end = endOf(run.map((one) => ({ paid: one, known: [...NAMES] })));
        const opened = end.session.variables.size;
        t.is(knownOutcome(elaborate(ruleOf(plan, index), end)), meaning(run));
        t.is(end.session.variables.size, opened);
      }),
      { numRuns: 60, seed: 2 },
    );
  });
}
