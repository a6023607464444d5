import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import type { Problem } from '../../../../workers/verdict/decide/problem.ts';
import type { SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const by = { solver: await sharedZ3(), rlimit: 1_000_000 };
const VALUES = [-2n, -1n, 0n, 1n, 2n, 3n];
const SMALL: ValueType = { type: 'int', min: -2n, max: 3n };
const [X, Y] = [variable('x'), variable('y')];
const times = (left: Term, right: Term): Term => ({ op: 'times', left, right });
const atMost = (left: Term, right: Term): Term => ({ op: '<=', left, right });
const equals = (left: Term, right: Term): Term => ({ op: '=', left, right });

function problem(question: Problem['question'], rule: Term, more: Partial<Problem> = {}): Problem {
  const variables = new Map([
    ['x', SMALL],
    ['y', SMALL],
  ]);
  return { question, variables, values: new Map(), facts: [], rules: [{ id: 'r', term: rule }], ...more };
}

const UNKNOWN = { verdict: 'indeterminate', reason: 'a product of two values that are not known yet', path: 'r' };
const SIX = literal(6n);
const known = (...values: readonly bigint[]) => ({ values: new Map(values.map((v, at) => ['xy'.charAt(at), v])) });
const defines = (term: Term) => ({ facts: [{ id: 'f', term }] });

for (const [what, asked, expected] of [
  ['of known values', problem('holds', equals(times(X, Y), SIX), known(2n, 3n)), { engine: 'evaluator+z3' }],
  ['of known values, not 6', problem('holds', equals(times(X, Y), SIX), known(2n, 2n)), { verdict: 'violated' }],
  ['with one open value', problem('possible', equals(times(X, Y), SIX), known(2n)), { witness: new Map([['y', '3']]) }],
  ['with no value', problem('possible', equals(times(Y, X), literal(5n)), known(2n)), { verdict: 'violated' }],
  ['of open values that are found', problem('possible', equals(times(X, Y), SIX)), { verdict: 'satisfied' }],
  ['of open values, too large', problem('possible', equals(times(X, Y), literal(99n))), UNKNOWN],
  [
    'that is two numbers at once',
    problem('possible', {
      op: 'and',
      args: [equals(times(X, Y), SIX), equals({ op: '+', args: [times(Y, X), literal(1n)] }, SIX)],
    }),
    { verdict: 'violated', engine: 'z3', core: ['r'] },
  ],
  ['that may be negative', problem('holds', atMost(literal(0n), times(X, Y))), { verdict: 'underdetermined' }],
  ['that is a square', problem('holds', atMost(literal(0n), times(X, X))), UNKNOWN],
  ['of a fact', problem('holds', atMost(literal(0n), Y), defines(equals(Y, times(X, X)))), { ...UNKNOWN, path: 'f' }],
] as const) {
  test(`a product ${what} is decided as far as it can be`, (t) => {
    t.like(decide(asked, by), expected);
  });
}

test('a model in which a known factor is not multiplied is a fault of the solver', (t) => {
  const check: SmtSolver['check'] = ({ assertions, ...query }) =>
    by.solver.check({ ...query, assertions: assertions.filter(({ name }) => !name.startsWith('g')) });
  const asked = problem('possible', equals(times(X, Y), literal(99n)));
  t.is(decide(asked, { ...by, solver: { check } }).verdict, 'engine_error');
});

const number = fc.letrec<{ number: Term }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(X, Y, literal(2n), literal(-1n)),
    fc.tuple(tie('number'), tie('number')).map(([left, right]) => times(left, right)),
    fc.record({ op: fc.constantFrom('min' as const, 'max' as const), left: tie('number'), right: tie('number') }),
    fc.array(tie('number'), { minLength: 1, maxLength: 2 }).map((args): Term => ({ op: '+', args })),
  ),
})).number;
const comparison = fc.tuple(fc.constantFrom(atMost, equals), number, number).map(([make, ...two]) => make(...two));

test('what is said of products is so for every value, and most of it is said', (t) => {
  const [asked, undecided] = [[] as string[], [] as string[]];
  fc.assert(
    fc.property(
      fc.constantFrom('holds', 'possible'),
      fc.array(comparison, { minLength: 1, maxLength: 2 }),
      (q, args) => {
        const { verdict } = decide(problem(q, { op: 'and', args }), by);
        const truths = VALUES.flatMap((x) =>
          VALUES.map((y) => args.every((term) => evaluate(term, new Map(Object.entries({ x, y }))) === true)),
        );
        const isAlways = q === 'holds' ? truths.every(Boolean) : truths.includes(true);
        const isNever = !truths.includes(true);
        const right = isAlways ? 'satisfied' : isNever ? 'violated' : 'underdetermined';
        asked.push(verdict);
        if (verdict === 'indeterminate') undecided.push(verdict);
        else t.is(verdict, right);
      },
    ),
    { numRuns: runs(200) },
  );
  t.true(undecided.length < asked.length / 5, `${undecided.length} of ${asked.length}`);
});
