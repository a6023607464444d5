import test from 'ava';
import { literal, variable } from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import type { Formula, Problem, Question } from '../../../../workers/verdict/decide/problem.ts';
import { problemOf } from '../../../models/cases.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const by = { solver: await sharedZ3(), rlimit: 1_000_000 };
const MONEY = { type: 'decimal', scale: 2, min: '0.00', max: '1000.00' };
const [A, B, LEFT] = [
  ['var', 'a'],
  ['var', 'b'],
  ['var', 'left'],
];

/** A refund in two payments: 80.00 less both is left, at most 100.00 are paid, and nothing is left. */
function refund(question: Question, known: Readonly<Record<string, bigint>>, more: Partial<Problem> = {}): Problem {
  const variables = { a: MONEY, b: MONEY, left: MONEY };
  const facts = [['=', LEFT, ['-', ['dec', '80.00'], A, B]]];
  const rules = [
    ['<=', ['+', A, B], ['dec', '100.00']],
    ['=', LEFT, ['dec', '0.00']],
  ];
  const problem = problemOf({ question, variables, known: {}, facts, rules });
  return { ...problem, values: new Map<string, Value>(Object.entries(known)), ...more };
}
const BOTH = 'evaluator+z3';
const NEVER: Formula = { id: 'never', term: { op: '<', left: variable('left'), right: literal(0n) } };
const HOLDING = refund('holds', {});

for (const [what, problem, expected] of [
  ['in one payment', refund('holds', { a: 8000n, b: 0n, left: 0n }), { verdict: 'satisfied', engine: BOTH }],
  ['in two payments', refund('holds', { a: 5000n, b: 3000n, left: 0n }), { verdict: 'satisfied', engine: BOTH }],
  ['whose state follows', refund('holds', { a: 8000n, b: 0n }), { verdict: 'satisfied', engine: 'z3' }],
  ['with a rest', refund('holds', { a: 5000n, b: 0n }), { verdict: 'violated', engine: 'z3', core: ['r1'] }],
  ['without a payment', refund('holds', { a: 0n, b: 0n }), { verdict: 'violated', core: ['r1'] }],
  [
    'that breaks two rules',
    refund('holds', { a: 8000n, b: 3000n, left: 500n }, { facts: [] }),
    { verdict: 'violated', engine: BOTH, broken: ['r0', 'r1'], core: ['r0'] },
  ],
  [
    'with a rule that no values obey',
    refund('holds', { a: 8000n, b: 0n }, { rules: [...HOLDING.rules, NEVER] }),
    { verdict: 'violated', engine: 'z3', core: ['never'] },
  ],
  [
    'of which a part may follow',
    refund('possible', { a: 5000n }),
    { verdict: 'satisfied', witness: new Map([...Object.entries({ b: '30.00', left: '0.00' })]) },
  ],
  ['of too much', refund('possible', { a: 9000n }), { verdict: 'invalid_input', core: ['f0'] }],
  ['without rules', refund('holds', {}, { rules: [] }), { verdict: 'satisfied', engine: 'z3' }],
  ['without rules and facts', refund('holds', {}, { facts: [], rules: [] }), { verdict: 'satisfied', engine: BOTH }],
  ['outside a type', refund('holds', { a: 8000n, left: -1n }), { verdict: 'invalid_input', engine: BOTH }],
  ...[3000n, 6000n].map(
    (b) =>
      [
        `of ${b} that contradicts a fact`,
        refund('holds', { a: 5000n, b, left: 100n }),
        { verdict: 'invalid_input', engine: BOTH, core: ['f0'] },
      ] as const,
  ),
] as const) {
  test(`a refund ${what} is ${expected.verdict}`, (t) => {
    t.like(decide(problem, by), expected);
  });
}

test('after a partial refund, it is open whether the rules hold, and values show how', (t) => {
  const decision = decide(refund('holds', { a: 5000n }), by);
  if (decision.verdict !== 'underdetermined') return t.fail(decision.verdict);
  t.is(decision.holding.get('b'), '30.00');
  return t.not(decision.failing.get('left'), '0.00');
});

test('every check is reported with the hash of its question', (t) => {
  const { checks } = decide(refund('holds', { a: 8000n, b: 0n, left: 0n }), by);
  t.deepEqual(
    checks.map(({ status }) => status),
    ['sat', 'unsat'],
  );
  for (const { script, rlimitUsed } of checks) {
    t.regex(script, /^[0-9a-f]{64}$/);
    t.true(rlimitUsed > 0);
  }
});

test('the verdict is indeterminate if the limit is too low', (t) => {
  t.is(decide(refund('holds', { a: 5000n }), { ...by, rlimit: 1 }).verdict, 'indeterminate');
});

test('an undeclared variable is an error of the caller', (t) => {
  const undeclared: Formula = { id: 'x', term: { op: '=', left: variable('x'), right: literal(1n) } };
  t.throws(() => decide({ ...HOLDING, rules: [undeclared] }, by), { instanceOf: TypeError });
  t.throws(() => decide({ ...HOLDING, values: new Map([['x', 1n]]) }, by), { instanceOf: TypeError });
});
