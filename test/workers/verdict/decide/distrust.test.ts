import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import type { Problem, Question } from '../../../../workers/verdict/decide/problem.ts';
import {
  type SmtAnswer,
  SmtError,
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

test('an honest solver gives the right verdicts', (t) => {
  t.is(decideWith(honest.check, problem({ amount: 2n })).verdict, 'satisfied');
  t.is(decideWith(honest.check, problem({ amount: 4n })).verdict, 'violated');
  t.is(decideWith(honest.check, problem()).verdict, 'underdetermined');
});

test('a solver that loses an assertion is detected by its own model', (t) => {
  const below = { name: 'c99', term: '(< x0 0)' };
  const withoutType = ({ assertions }: SmtQuery) => [...assertions.slice(1), below];
  const withoutRule = ({ assertions }: SmtQuery) => assertions.toSpliced(1, 1);
  for (const assertionsOf of [withoutType, withoutRule]) {
    const check = (query: SmtQuery) => honest.check({ ...query, assertions: assertionsOf(query) });
    t.not(decideWith(check, problem({ amount: 4n })).verdict, 'satisfied');
    t.is(decideWith(check, problem()).verdict, 'engine_error');
  }
  const withoutLast = (query: SmtQuery) => honest.check({ ...query, assertions: query.assertions.slice(0, -1) });
  t.is(decideWith(withoutLast, problem({ amount: 2n })).verdict, 'engine_error');
});

test('detects a parse error that is reported as sat, with an empty or another model', (t) => {
  const none: SmtSolver['check'] = () => ({ ...common, status: 'sat', model: new Map() });
  t.is(decideWith(none, problem({ amount: 2n })).verdict, 'engine_error');
  const any: SmtSolver['check'] = ({ constants }) => ({
    ...common,
    status: 'sat',
    model: new Map([...constants.keys()].map((symbol) => [symbol, 1n])),
  });
  for (const amount of [2n, 4n]) t.is(decideWith(any, problem({ amount })).verdict, 'engine_error');
  t.is(decideWith(any, problem({ amount: 4n }, 'possible')).verdict, 'engine_error');
});

test('a solver that never finds a contradiction lets nothing pass', (t) => {
  const check: SmtSolver['check'] = (query) => {
    const answer = honest.check(query);
    return answer.status === 'unsat' ? honest.check({ ...query, assertions: [] }) : answer;
  };
  for (const amount of [2n, 4n]) t.is(decideWith(check, problem({ amount })).verdict, 'engine_error');
});

test('a solver that always answers unsat is contradicted by the evaluator', (t) => {
  const check: SmtSolver['check'] = (query) => ({ ...common, status: 'unsat', core: everything(query) });
  t.is(decideWith(check, problem({ amount: 2n })).verdict, 'engine_error');
  t.is(decideWith(check, { ...half, values: new Map([['amount', 2n]]) }).verdict, 'engine_error');
});

/** Answers as if every earlier rule were still asserted, so that a rule is its own premise. */
function createRememberingSolver(): SmtSolver {
  const seen = new Map<string, SmtQuery['assertions'][number]>();
  return {
    check(query) {
      for (const assertion of query.assertions) {
        if (!assertion.name.startsWith('t')) seen.set(assertion.name, assertion);
      }
      const names = new Set(everything(query));
      const answer = honest.check({
        ...query,
        assertions: [...query.assertions, ...[...seen.values()].filter(({ name }) => !names.has(name))],
      });
      return answer.status === 'unsat' ? { ...answer, core: everything(query) } : answer;
    },
  };
}

test('a solver that keeps the rules as premises does not make a broken run pass', (t) => {
  const { check } = createRememberingSolver();
  t.is(decideWith(check, problem({ amount: 4n })).verdict, 'violated');
  t.not(decideWith(check, excessive).verdict, 'satisfied');
});

test('a solver cannot answer violated if one of its solutions obeys the rules', (t) => {
  // Nothing is known, so the evaluator has no verdict of its own.
  const check: SmtSolver['check'] = (query) =>
    query.assertions.length === 1 ? honest.check(query) : { ...common, status: 'unsat', core: everything(query) };
  t.is(decideWith(check, problem()).verdict, 'engine_error');
});

test('refuses a core that is not a contradiction, or that has a name that was not asserted', (t) => {
  const withCore =
    (core: (query: SmtQuery) => readonly string[]) =>
    (query: SmtQuery): SmtAnswer => {
      const answer = honest.check(query);
      return answer.status === 'unsat' ? { ...answer, core: core(query) } : answer;
    };
  t.is(decideWith(withCore(everything), excessive).verdict, 'violated');
  t.is(
    decideWith(
      withCore((query) => everything(query).slice(0, 1)),
      excessive,
    ).verdict,
    'engine_error',
  );
  t.is(
    decideWith(
      withCore((query) => [...everything(query), 'c99']),
      excessive,
    ).verdict,
    'engine_error',
  );
});

test('a solver that blames a rule for what another one forbids is not believed', (t) => {
  const floor: Term = { op: '<=', left: literal(0n), right: variable('amount') };
  const two: Problem = { ...excessive, rules: [...excessive.rules, { id: 'floor', term: floor }] };
  const withoutCap = (query: SmtQuery): SmtAnswer => {
    const answer = honest.check(query);
    return answer.status === 'unsat'
      ? { ...answer, core: everything(query).filter((_, index) => index !== 2) }
      : answer;
  };
  const honestly = decideWith(honest.check, two);
  t.deepEqual([honestly.verdict, 'core' in honestly && honestly.core], ['violated', ['cap']]);
  t.is(decideWith(withoutCap, two).verdict, 'engine_error');
});

test('the verdict is indeterminate if the solver gives up, for every question', (t) => {
  for (const [one, most] of [
    [problem({ amount: 2n }), 2],
    [problem({ amount: 4n }), 2],
    [problem(), 2],
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

test('the verdict is indeterminate if a core cannot be checked in time', (t) => {
  const asked: number[] = [];
  const check: SmtSolver['check'] = (query) => {
    asked.push(query.assertions.length);
    return asked.length === 2 ? { ...common, status: 'unknown', reason: 'canceled' } : honest.check(query);
  };
  t.like(decideWith(check, excessive), { verdict: 'indeterminate', reason: 'canceled' });
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
  t.deepEqual(count(problem({ amount: 2n })), ['sat', 'unsat']);
  t.deepEqual(count(problem({ amount: 2n }, 'possible')), ['sat', 'unsat']);
  t.deepEqual(count(problem({ amount: 4n })), ['sat', 'unsat']);
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

test('every broken rule is named', (t) => {
  const one = problem({ amount: 4n });
  const twice = { ...one, rules: [...one.rules, { id: 'lower', term: RULE }] };
  const decision = decideWith(honest.check, twice);
  t.like(decision, { verdict: 'violated', core: ['cap'], broken: ['cap', 'lower'] });
});

test('many formulas are asked in several questions of limited size', (t) => {
  const one = problem({ amount: 4n });
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
