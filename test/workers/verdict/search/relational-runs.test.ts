import test from 'ava';
import { SmtError, type SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { runs } from '../../../kit/property-runs.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import {
  judgeCases,
  type RelationalKind,
  type RelationalVerdict,
} from '../../../models/relational/relational-cases.ts';

const z3 = await sharedZ3();
const by = { solver: z3, rlimit: DEFAULT_RLIMIT };

/** Verdicts other than the right one. Not to decide is not wrong where something is open. */
function wrongOf(kind: RelationalKind, verdicts: Iterable<RelationalVerdict>): readonly RelationalVerdict[] {
  const isUndecided = (verdict: string) => kind === 'outlook' && verdict === 'indeterminate';
  return [...verdicts].filter(
    ({ verdict, right }) => right !== undefined && verdict !== right && !isUndecided(verdict),
  );
}

for (const kind of ['relational alignment', 'relational constraints'] as const) {
  test(`${kind}: the evaluator finds what an interpreter of the document finds`, (t) => {
    t.deepEqual(wrongOf(kind, judgeCases(kind, { seed: 8402, count: runs(1500), by: undefined })), []);
  });

  test(`${kind}: the evaluator and z3 together find what an interpreter of the document finds`, (t) => {
    t.deepEqual(wrongOf(kind, judgeCases(kind, { seed: 8403, count: 60, by })), []);
  });
}

test('outlook 2: what can follow is what trying every continuation finds', (t) => {
  const verdicts = [...judgeCases('outlook', { seed: 8404, count: 80, by })];
  t.deepEqual(wrongOf('outlook', verdicts), []);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'indeterminate');
  t.true(decided.length > verdicts.length / 2);
});

/** z3, except that its answer to a question about values is changed. */
const lying = (change: (value: boolean, symbol: string) => boolean): SmtSolver => ({
  check(query) {
    const answer = z3.check(query);
    if (answer.status !== 'sat') return answer;
    const model = new Map(
      [...answer.model].map(([symbol, value]) => [symbol, typeof value === 'boolean' ? change(value, symbol) : value]),
    );
    return { ...answer, model };
  },
});

for (const [what, change] of [
  ['always says true', () => true],
  ['always says false', () => false],
  ['is wrong about one group of rules', (value: boolean, symbol: string) => (symbol === 'p2' ? !value : value)],
] as const) {
  test(`a solver that ${what} is found out`, (t) => {
    const liar = { solver: lying(change), rlimit: DEFAULT_RLIMIT };
    const verdicts = [...judgeCases('relational alignment', { seed: 8405, count: 5, by: liar })];
    t.deepEqual([...new Set(verdicts.map(({ verdict }) => verdict))], ['engine_error']);
  });
}

test('a solver that drops the question is found out', (t) => {
  const silent: SmtSolver = {
    check() {
      throw new SmtError('z3 holds 0 of 3 assertions');
    },
  };
  const [one] = judgeCases('relational constraints', {
    seed: 8406,
    count: 1,
    by: { solver: silent, rlimit: DEFAULT_RLIMIT },
  });
  t.is(one?.verdict, 'engine_error');
});
