import test from 'ava';
import { expand } from '../../../../workers/plan/language/expand.ts';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import { parseType, parseTypes, type ValueType } from '../../../../workers/plan/language/types.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import type { Formula, Problem } from '../../../../workers/verdict/decide/problem.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { unfold } from '../../../models/unfold.ts';

const z3 = await sharedZ3();
const MONEY = parseType({ type: 'decimal', scale: 2, min: '0.00', max: '1000.00' }, '');
const ask = (problem: Problem) => decide(problem, { solver: z3, rlimit: 1_000_000 });

// A refund in at most two payments, with a cap on their sum. Afterward, nothing is refundable.
const SLOTS = [0, 1];
const BOOL = parseType({ type: 'bool' }, '');
const OF_ACTIONS = new Map<string, ValueType>(
  SLOTS.flatMap((slot) => [
    [`/actions/${slot}/present`, BOOL],
    [`/actions/${slot}/arg/amount`, MONEY],
  ]),
);
const SCOPE = {
  names: {
    var: new Map([...parseTypes({ cap: { type: 'decimal', scale: 2 } }, ''), ...OF_ACTIONS]),
    final: new Map([['refundable', MONEY]]),
  },
};
const PAID = ['sum', 'pay', ['arg', 'amount']];
const RULES = {
  cap: ['<=', PAID, ['var', 'cap']],
  whole: ['=', ['final', 'refundable'], ['dec', '0.00']],
};

/** @param payments amounts in cents. Undefined is a payment that may still follow */
function refund(question: Problem['question'], payments: readonly (bigint | null | undefined)[]): Problem {
  const variables = new Map<string, ValueType>([['/final/refundable', MONEY]]);
  const values = new Map<string, Value>();
  for (const slot of SLOTS) {
    variables.set(`/actions/${slot}/present`, { type: 'bool' }).set(`/actions/${slot}/arg/amount`, MONEY);
    const payment = payments[slot];
    if (payment !== undefined) values.set(`/actions/${slot}/present`, payment !== null);
    if (typeof payment === 'bigint') values.set(`/actions/${slot}/arg/amount`, payment);
  }
  const names = {
    var: new Map<string, Term>([
      ['cap', literal(10_000n)],
      ...[...OF_ACTIONS.keys()].map((key) => [key, variable(key)] as const),
    ]),
    final: new Map([['refundable', variable('/final/refundable')]]),
  };
  const read = (json: unknown, type: ValueType) =>
    expand(parseExpression(unfold(json, SLOTS.length), { type, scope: SCOPE }), names);
  const paid = read(PAID, MONEY);
  const left: Term = { op: '+', args: [literal(8000n), { op: '*', arg: paid, by: -1n }] };
  const rules = Object.entries(RULES).map(([id, json]): Formula => {
    return { id, term: read(json, BOOL) };
  });
  const state: Formula = { id: 'state', term: { op: '=', left: variable('/final/refundable'), right: left } };
  return { question, variables, values, facts: [state], rules };
}

const withFinal = (problem: Problem, refundable: bigint): Problem => ({
  ...problem,
  values: new Map([...problem.values, ['/final/refundable', refundable]]),
});

test('a full refund in one payment or in two is satisfied by both engines', (t) => {
  for (const payments of [
    [8000n, null],
    [5000n, 3000n],
  ]) {
    t.like(ask(withFinal(refund('holds', payments), 0n)), { verdict: 'satisfied', engine: 'evaluator+z3' });
  }
});

test('z3 decides alone whether the state follows from the actions', (t) => {
  t.like(ask(refund('holds', [8000n, null])), { verdict: 'satisfied', engine: 'z3' });
  t.like(ask(refund('holds', [5000n, null])), { verdict: 'violated', engine: 'z3', core: ['whole'] });
});

test('every broken rule is named, and the core is minimal', (t) => {
  const problem = refund('holds', [8000n, 3000n]);
  const overdrawn = { ...withFinal(problem, 500n), facts: [] };
  const decision = ask(overdrawn);
  t.like(decision, { verdict: 'violated', engine: 'evaluator+z3', broken: ['cap', 'whole'] });
  t.is('core' in decision && decision.core.length, 1);
});

test('after a partial refund, the rest is possible, and a witness shows how', (t) => {
  const decision = ask(refund('possible', [5000n, undefined]));
  if (decision.verdict !== 'satisfied') return t.fail(decision.verdict);
  t.is(decision.engine, 'z3');
  return t.deepEqual(
    decision.witness,
    new Map<string, string | boolean>([
      ['/final/refundable', '0.00'],
      ['/actions/1/present', true],
      ['/actions/1/arg/amount', '30.00'],
    ]),
  );
});

test('after a partial refund, it is open whether the rules hold', (t) => {
  const decision = ask(refund('holds', [5000n, undefined]));
  if (decision.verdict !== 'underdetermined') return t.fail(decision.verdict);
  t.is(decision.holding.get('/actions/1/arg/amount'), '30.00');
  return t.not(decision.failing.get('/final/refundable'), '0.00');
});

test('more than the rest cannot be refunded, because the state would leave its type', (t) => {
  t.like(ask(refund('possible', [9000n, undefined])), {
    verdict: 'invalid_input',
    core: ['state'],
  });
});

test('a run without actions violates a rule that requires an action', (t) => {
  t.like(ask(refund('holds', [null, null])), { verdict: 'violated', core: ['whole'] });
});

test('a rule that no values obey is violated, and named', (t) => {
  const problem = refund('holds', [8000n, null]);
  const never: Formula = { id: 'never', term: { op: '<', left: variable('/final/refundable'), right: literal(0n) } };
  t.like(ask({ ...problem, rules: [...problem.rules, never] }), { verdict: 'violated', engine: 'z3', core: ['never'] });
});

test('an empty set of rules is satisfied', (t) => {
  const problem = refund('holds', [undefined, undefined]);
  t.like(ask({ ...problem, rules: [] }), { verdict: 'satisfied', engine: 'z3' });
  t.like(ask({ ...problem, facts: [], rules: [] }), { verdict: 'satisfied', engine: 'evaluator+z3' });
});

test('a value that is not of its type is invalid input', (t) => {
  t.like(ask(withFinal(refund('holds', [8000n, null]), -1n)), { verdict: 'invalid_input', engine: 'evaluator+z3' });
});

test('known values that contradict a fact are invalid input, whether or not they obey the rules', (t) => {
  for (const payments of [
    [5000n, 3000n],
    [5000n, 6000n],
  ]) {
    const decision = ask(withFinal(refund('holds', payments), 100n));
    t.like(decision, { verdict: 'invalid_input', engine: 'evaluator+z3', core: ['state'] });
  }
});

test('every check is reported with the hash of its question', (t) => {
  const { checks } = ask(withFinal(refund('holds', [8000n, null]), 0n));
  t.deepEqual(
    checks.map(({ status }) => status),
    ['sat', 'unsat', 'unsat'],
  );
  for (const { script, rlimitUsed } of checks) {
    t.regex(script, /^[0-9a-f]{64}$/);
    t.true(rlimitUsed > 0);
  }
});

test('the verdict is indeterminate if the limit is too low', (t) => {
  t.is(decide(refund('holds', [5000n, undefined]), { solver: z3, rlimit: 1 }).verdict, 'indeterminate');
});

test('an undeclared variable is an error of the caller', (t) => {
  const problem = refund('holds', [8000n, null]);
  const undeclared: Formula = { id: 'x', term: { op: '=', left: variable('x'), right: literal(1n) } };
  t.throws(() => ask({ ...problem, rules: [undeclared] }), { instanceOf: TypeError });
  t.throws(() => ask({ ...problem, values: new Map([['x', 1n]]) }), { instanceOf: TypeError });
});
