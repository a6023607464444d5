import test from 'ava';
import { decide } from '../../../../workers/solver/decide/decide.ts';
import type { Problem, Question } from '../../../../workers/solver/decide/verdict.ts';
import { literal, type Term, variable } from '../../../../workers/solver/language/terms.ts';
import type { Value } from '../../../../workers/solver/language/values.ts';
import { type SmtAnswer, SmtError, type SmtQuery, type SmtSolver } from '../../../../workers/solver/smt-solver.ts';
import { createBruteForceSolver } from '../brute-force-solver.ts';

const honest = createBruteForceSolver();
const RULE: Term = { op: '<=', left: variable('amount'), right: literal(3n) };

/** Is an amount from 0 to 5 at most 3? */
const problem = (known: Readonly<Record<string, Value>> = {}, question: Question = 'holds'): Problem => ({
  question,
  variables: new Map([['amount', { type: 'int', min: 0n, max: 5n }]]),
  values: new Map(Object.entries(known)),
  facts: [],
  rules: [{ id: 'cap', term: RULE }],
});
/** Its amount is above 3, and not known. */
const excessive: Problem = { ...problem(), facts: [{ id: 'above', term: { op: 'not', arg: RULE } }] };
const decideWith = (check: SmtSolver['check'], one: Problem) => decide(one, { solver: { check }, rlimit: 1 });
const common = { script: '', rlimitUsed: 1 };
const everything = ({ assertions }: SmtQuery) => assertions.map(({ name }) => name);

test('an honest solver decides as it should', (t) => {
  t.is(decideWith(honest.check, problem({ amount: 2n })).verdict, 'satisfied');
  t.is(decideWith(honest.check, problem({ amount: 4n })).verdict, 'violated');
  t.is(decideWith(honest.check, problem()).verdict, 'underdetermined');
});

test('a solver that loses an assertion is found out by its own model', (t) => {
  // What is known has no type beside it, and nothing is known of the second problem.
  for (const lost of [0, 1]) {
    const check = (query: SmtQuery) => honest.check({ ...query, assertions: query.assertions.toSpliced(lost, 1) });
    t.not(decideWith(check, problem({ amount: 4n })).verdict, 'satisfied');
    t.is(decideWith(check, problem({ amount: 2n })).verdict, 'engine_error');
    t.is(decideWith(check, problem()).verdict, 'engine_error');
  }
  const withoutLast = (query: SmtQuery) => honest.check({ ...query, assertions: query.assertions.slice(0, -1) });
  t.is(decideWith(withoutLast, problem({ amount: 2n })).verdict, 'engine_error');
});

test('a parse error that is taken for sat is found out: its model is empty, or any', (t) => {
  const none: SmtSolver['check'] = () => ({ ...common, status: 'sat', model: new Map() });
  t.is(decideWith(none, problem({ amount: 2n })).verdict, 'engine_error');
  const one = { numerator: 1n, denominator: 1n };
  const any: SmtSolver['check'] = ({ constants }) => ({
    ...common,
    status: 'sat',
    model: new Map([...constants.keys()].map((symbol) => [symbol, one])),
  });
  for (const amount of [2n, 4n]) t.is(decideWith(any, problem({ amount })).verdict, 'engine_error');
  t.is(decideWith(any, problem({ amount: 4n }, 'possible')).verdict, 'engine_error');
});

test('a solver that finds no contradiction anywhere passes nothing', (t) => {
  const check: SmtSolver['check'] = (query) => {
    const answer = honest.check(query);
    return answer.status === 'unsat' ? honest.check({ ...query, assertions: [] }) : answer;
  };
  for (const amount of [2n, 4n]) t.is(decideWith(check, problem({ amount })).verdict, 'engine_error');
});

test('a solver that says unsat of everything is contradicted by the evaluator', (t) => {
  const check: SmtSolver['check'] = (query) => ({ ...common, status: 'unsat', core: everything(query) });
  t.is(decideWith(check, problem({ amount: 2n })).verdict, 'engine_error');
});

/** Answers as if every rule that was ever asserted were asserted still: a rule among its own premises. */
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

test('a solver that keeps the rules as premises is contradicted by the evaluator', (t) => {
  const { check } = createRememberingSolver();
  t.is(decideWith(check, problem({ amount: 4n })).verdict, 'engine_error');
});

test('what one of its solutions showed not to hold, a solver cannot call satisfied', (t) => {
  // Nothing is known, so the evaluator has no verdict of its own.
  const five = { numerator: 5n, denominator: 1n };
  const check: SmtSolver['check'] = (query) => {
    const { length } = query.assertions;
    if (length === 1) return { ...common, status: 'sat', model: new Map([['x0', five]]) };
    const denies = query.assertions.some(({ term }) => term.startsWith('(not'));
    return denies ? { ...common, status: 'unsat', core: everything(query) } : honest.check(query);
  };
  t.is(decideWith(check, problem()).verdict, 'engine_error');
});

test('a core that contradicts nothing by itself, or has what was not asserted, is none', (t) => {
  const withCore =
    (core: (query: SmtQuery) => readonly string[]) =>
    (query: SmtQuery): SmtAnswer => {
      const answer = honest.check(query);
      return answer.status === 'unsat' ? { ...answer, core: core(query) } : answer;
    };
  const known = problem({ amount: 4n });
  t.is(decideWith(withCore(everything), known).verdict, 'violated');
  t.is(
    decideWith(
      withCore((query) => everything(query).slice(0, 1)),
      known,
    ).verdict,
    'engine_error',
  );
  t.is(
    decideWith(
      withCore((query) => [...everything(query), 'c99']),
      known,
    ).verdict,
    'engine_error',
  );
});

test('a solver that gives up leaves it indeterminate, whichever the question', (t) => {
  for (const [one, most] of [
    [problem({ amount: 2n }), 2],
    [problem({ amount: 4n }), 3],
    [problem(), 4],
    [problem({}, 'possible'), 3],
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

test('a core that cannot be asked again in time leaves it indeterminate', (t) => {
  const asked: number[] = [];
  const check: SmtSolver['check'] = (query) => {
    asked.push(query.assertions.length);
    return asked.length === 4 ? { ...common, status: 'unknown', reason: 'canceled' } : honest.check(query);
  };
  t.like(decideWith(check, excessive), { verdict: 'indeterminate', reason: 'canceled' });
});

test('a solver that fails is an engine error, with what was asked until then', (t) => {
  let asked = 0;
  const check: SmtSolver['check'] = (query) => {
    asked += 1;
    if (asked === 3) throw new SmtError('the parser has taken 2 of 3 assertions');
    return honest.check(query);
  };
  const decision = decideWith(check, problem());
  t.like(decision, { verdict: 'engine_error', reason: 'the parser has taken 2 of 3 assertions' });
  t.is(decision.checks.length, 2);
});

test('where the evaluator has decided, the solver is asked that alone', (t) => {
  const count = (one: Problem) => decideWith(honest.check, one).checks.map(({ status }) => status);
  t.deepEqual(count(problem({ amount: 2n })), ['sat', 'unsat']);
  t.deepEqual(count(problem({ amount: 2n }, 'possible')), ['sat']);
  t.deepEqual(count(problem({ amount: 4n })), ['sat', 'sat', 'unsat']);
  t.deepEqual(count(problem({ amount: 4n }, 'possible')), ['sat', 'sat', 'unsat']);
  t.deepEqual(count(excessive), ['sat', 'sat', 'unsat', 'unsat']);
});

test('of rules that are broken the first is asked by itself where the core has more', (t) => {
  const one = problem({ amount: 4n });
  const twice = { ...one, rules: [...one.rules, { id: 'lower', term: RULE }] };
  const decision = decideWith(honest.check, twice);
  t.like(decision, { verdict: 'violated', core: ['cap'], broken: ['cap', 'lower'] });
  t.is(decision.checks.length, 4);
  const check: SmtSolver['check'] = (query) =>
    query.assertions.map(({ name }) => name).join() === 'c0,c1'
      ? honest.check({ ...query, assertions: [] })
      : honest.check(query);
  t.is(decideWith(check, twice).verdict, 'engine_error');
});

test('what no rule is about is not asked, unless it is not of its type', (t) => {
  const one = problem({ amount: 2n, other: 9n });
  const idle = (max: bigint): Problem => ({
    ...one,
    variables: new Map([...one.variables, ['other', { type: 'int', min: 0n, max }]]),
  });
  const declared: number[] = [];
  const check: SmtSolver['check'] = (query) => {
    declared.push(query.constants.size);
    return honest.check(query);
  };
  t.is(decideWith(check, idle(9n)).verdict, 'satisfied');
  t.deepEqual(declared, [1, 1]);
  t.is(decideWith(check, idle(8n)).verdict, 'invalid_input');
});
