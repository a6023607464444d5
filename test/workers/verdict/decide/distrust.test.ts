import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import type { Decision, Problem, Question } from '../../../../workers/verdict/decide/problem.ts';
import {
  type SmtAnswer,
  SmtError,
  type SmtModel,
  type SmtQuery,
  type SmtSolver,
} from '../../../../workers/verdict/decide/smt-solver.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const z3 = await sharedZ3();
/** Its cores have all assertions. */
const honest: SmtSolver = {
  check(query) {
    const answer = z3.check(query);
    return answer.status === 'unsat' ? { ...answer, core: everything(query) } : answer;
  },
};
const RULE: Term = { op: '<=', left: variable('amount'), right: literal(3n) };

/** Asks whether an amount from 0 to 5 is at most 3. */
const problem = (known: Readonly<Record<string, Value>> = {}, question: Question = 'holds'): Problem => ({
  question,
  variables: new Map([['amount', { type: 'int', min: 0n, max: 5n }]]),
  values: new Map(Object.entries(known)),
  facts: [],
  rules: [{ id: 'cap', term: RULE }],
});
/** The amount is above 3, but unknown. */
const excessive: Problem = { ...problem(), facts: [{ id: 'above', term: { op: 'not', arg: RULE } }] };
/** The amount is known to be too large, and another value is unknown. */
const half: Problem = {
  ...problem({ amount: 4n }),
  variables: new Map([...problem().variables, ['other', { type: 'int', min: 0n, max: 5n }]]),
};
const decideWith = (check: SmtSolver['check'], one: Problem) =>
  decide(one, { solver: { check }, rlimit: DEFAULT_RLIMIT });
const common = { script: '', rlimitUsed: 1 };
const everything = ({ assertions }: SmtQuery) => assertions.map(({ name }) => name);

const [NOTHING, TWO, FOUR] = [problem(), problem({ amount: 2n }), problem({ amount: 4n })];
const FLOOR: Term = { op: '<=', left: literal(0n), right: variable('amount') };
const WITH_FLOOR: Problem = { ...excessive, rules: [...excessive.rules, { id: 'floor', term: FLOOR }] };

/** Answers as if other assertions were asked about. */
const asking =
  (change: (assertions: SmtQuery['assertions']) => SmtQuery['assertions']): SmtSolver['check'] =>
  (query) =>
    honest.check({ ...query, assertions: change(query.assertions) });
const withCore =
  (core: (names: readonly string[]) => readonly string[]): SmtSolver['check'] =>
  (query) => {
    const answer = honest.check(query);
    return answer.status === 'unsat' ? { ...answer, core: core(everything(query)) } : answer;
  };
const answering =
  (modelOf: (query: SmtQuery) => SmtModel): SmtSolver['check'] =>
  (query) => ({ ...common, status: 'sat', model: modelOf(query) });
const unsat = (query: SmtQuery): SmtAnswer => ({ ...common, status: 'unsat', core: everything(query) });

/** Answers as if every earlier rule were still asserted, so that a rule is its own premise. */
function remembering(): SmtSolver['check'] {
  const seen = new Map<string, SmtQuery['assertions'][number]>();
  return (query) => {
    for (const assertion of query.assertions) {
      if (!assertion.name.startsWith('t')) seen.set(assertion.name, assertion);
    }
    const names = new Set(everything(query));
    const earlier = [...seen.values()].filter(({ name }) => !names.has(name));
    const answer = honest.check({ ...query, assertions: [...query.assertions, ...earlier] });
    return answer.status === 'unsat' ? unsat(query) : answer;
  };
}

const WRONG = 'engine_error';
for (const [what, check, ...verdicts] of [
  ['is honest', honest.check, [TWO, 'satisfied'], [FOUR, 'violated'], [NOTHING, 'underdetermined']],
  [
    'loses the type of a variable',
    asking((assertions) => [...assertions.slice(1), { name: 'c99', term: '(< x0 0)' }]),
    [NOTHING, WRONG],
    [FOUR, WRONG],
  ],
  ['loses the rule', asking((assertions) => assertions.toSpliced(1, 1)), [NOTHING, WRONG], [FOUR, 'violated']],
  ['loses the last assertion', asking((assertions) => assertions.slice(0, -1)), [TWO, WRONG]],
  ['reports a parse error as sat, with no model', answering(() => new Map()), [TWO, WRONG]],
  [
    'reports it with another model',
    answering(({ constants }) => new Map([...constants.keys()].map((symbol) => [symbol, 1n]))),
    [TWO, WRONG],
    [FOUR, WRONG],
    [problem({ amount: 4n }, 'possible'), WRONG],
  ],
  [
    'never finds a contradiction',
    (query) => {
      const answer = honest.check(query);
      return answer.status === 'unsat' ? honest.check({ ...query, assertions: [] }) : answer;
    },
    [TWO, WRONG],
    [FOUR, WRONG],
  ],
  ['always finds one', unsat, [TWO, WRONG], [{ ...half, values: new Map([['amount', 2n]]) }, WRONG]],
  ['keeps the rules as premises', remembering(), [FOUR, 'violated']],
  ['keeps them where nothing is known', remembering(), [excessive, 'invalid_input']],
  // Nothing is known, so the evaluator has no verdict of its own.
  [
    'finds a rule violated that one of its solutions obeys',
    (query) => (query.assertions.length === 1 ? honest.check(query) : unsat(query)),
    [NOTHING, WRONG],
  ],
  ['has a core of everything', withCore((names) => names), [excessive, 'violated']],
  ['has a core that is no contradiction', withCore((names) => names.slice(0, 1)), [excessive, WRONG]],
  ['has a core of what was not asserted', withCore((names) => [...names, 'c99']), [excessive, WRONG]],
  [
    'blames a rule for what another one forbids',
    withCore((names) => names.filter((_, index) => index !== 2)),
    [WITH_FLOOR, WRONG],
  ],
] as readonly (readonly [string, SmtSolver['check'], ...(readonly [Problem, Decision['verdict']])[]])[]) {
  test(`a solver that ${what} is believed only if it can be checked`, (t) => {
    for (const [one, verdict] of verdicts) t.is(decideWith(check, one).verdict, verdict);
  });
}

test('of a whole core, only what contradicts is reported', (t) => {
  t.like(decideWith(honest.check, WITH_FLOOR), { verdict: 'violated', core: ['cap'] });
});

test('the verdict is indeterminate if the solver gives up, for every question', (t) => {
  for (const [one, most] of [
    [TWO, 2],
    [FOUR, 2],
    [NOTHING, 2],
    [problem({}, 'possible'), 1],
    [excessive, 3],
    [half, 3],
  ] as const) {
    for (let patience = 0; patience < most; patience += 1) {
      let asked = 0;
      const check: SmtSolver['check'] = (query) =>
        asked++ < patience ? honest.check(query) : { ...common, status: 'unknown', reason: 'rlimit' };
      const decision = decideWith(check, one);
      t.like(decision, { verdict: 'indeterminate', reason: 'rlimit' });
      t.is(decision.checks.length, patience + 1);
    }
  }
});

test('a failure of the solver is an engine error with the questions so far', (t) => {
  let asked = 0;
  const check: SmtSolver['check'] = (query) => {
    asked += 1;
    if (asked === 3) throw new SmtError('the parser has taken 2 of 3 assertions');
    return honest.check(query);
  };
  const decision = decideWith(check, excessive);
  t.like(decision, { verdict: 'engine_error', reason: 'the parser has taken 2 of 3 assertions' });
  t.is(decision.checks.length, 2);
});

test('the solver is only asked to confirm a verdict of the evaluator', (t) => {
  const count = (one: Problem) => decideWith(honest.check, one).checks.map(({ status }) => status);
  t.deepEqual(count(TWO), ['sat', 'unsat']);
  t.deepEqual(count(problem({ amount: 2n }, 'possible')), ['sat', 'unsat']);
  t.deepEqual(count(FOUR), ['sat', 'unsat']);
  t.deepEqual(count(excessive), ['unsat', 'unsat', 'sat']);
  t.deepEqual(count(half), ['unsat', 'unsat', 'sat']);
});

test('a rule that known values make false is violated, however hard the others are', (t) => {
  const hard = (query: SmtQuery) => query.assertions.some(({ name }) => name === 'c1');
  const check: SmtSolver['check'] = (query) =>
    hard(query) ? { ...common, status: 'unknown', reason: 'rlimit' } : honest.check(query);
  const free: Term = { op: '<=', left: variable('other'), right: literal(3n) };
  const one = { ...half, rules: [...half.rules, { id: 'hard', term: free }] };
  t.like(decideWith(check, one), { verdict: 'violated', engine: 'evaluator+z3', core: ['cap'], broken: ['cap'] });
  const lying: SmtSolver['check'] = (query) => honest.check({ ...query, assertions: [] });
  t.is(decideWith(lying, one).verdict, 'engine_error');
});

test('many formulas are asked in several questions of limited size', (t) => {
  const one = FOUR;
  const rules = Array.from({ length: 40 }, (_, index) => {
    const args = Array.from({ length: 1000 }, () => RULE);
    return { id: `r${index}`, term: { op: index === 33 ? 'and' : 'or', args: [...args, literal(true)] } as const };
  });
  const lengths: number[] = [];
  const check: SmtSolver['check'] = (query) => {
    lengths.push(query.assertions.reduce((sum, { term }) => sum + term.length, 0));
    return honest.check(query);
  };
  t.like(decideWith(check, { ...one, rules }), { verdict: 'violated', broken: ['r33'] });
  t.true(lengths.length >= 4);
  t.true(lengths.every((length) => length < 250_000));
});

test('an unused value is invalid input if it is not of its type', (t) => {
  const one = problem({ amount: 2n, other: 9n });
  const idle = (max: bigint): Problem => ({
    ...one,
    variables: new Map([...one.variables, ['other', { type: 'int', min: 0n, max }]]),
  });
  t.is(decideWith(honest.check, idle(9n)).verdict, 'satisfied');
  t.is(decideWith(honest.check, idle(8n)).verdict, 'invalid_input');
});
