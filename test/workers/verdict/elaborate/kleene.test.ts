import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import {
  all,
  any,
  asQuantity,
  certain,
  choice,
  conjunction,
  disjunction,
  FALSE,
  ifThenElse,
  isNeverDefined,
  knownOutcome,
  missing,
  NEITHER,
  negation,
  not,
  sameTruth,
  TRUE,
  type Truth,
  total,
} from '../../../../workers/verdict/elaborate/kleene.ts';

const [A, B] = [variable('a'), variable('b')];

test('a connective leaves out what does not matter, and is decided by one literal', (t) => {
  for (const [connect, op, neutral, decisive] of [
    [all, 'and', TRUE, FALSE],
    [any, 'or', FALSE, TRUE],
  ] as const) {
    t.deepEqual(connect([A, B]), { op, args: [A, B] });
    t.deepEqual(connect([A, neutral, B]), { op, args: [A, B] });
    t.is(connect([neutral, A]), A);
    t.is(connect([A, decisive, B]), decisive);
    t.deepEqual(connect([neutral]), neutral);
    t.deepEqual(connect([]), neutral);
  }
});

test('negations and conditions of literals are worked out', (t) => {
  t.deepEqual([not(TRUE), not(FALSE), not(A)], [FALSE, TRUE, { op: 'not', arg: A }]);
  t.is(ifThenElse(TRUE, A, B), A);
  t.is(ifThenElse(FALSE, A, B), B);
  t.deepEqual(ifThenElse(variable('c'), A, B), { op: 'ite', condition: variable('c'), whenTrue: A, whenFalse: B });
});

test('a connective of truths that are always defined is always defined', (t) => {
  const [one, other] = [certain(A), certain(B)];
  t.deepEqual(conjunction([one, other]), certain({ op: 'and', args: [A, B] }));
  t.deepEqual(disjunction([one, other]), certain({ op: 'or', args: [A, B] }));
  t.deepEqual(negation(one), certain({ op: 'not', arg: A }));
  t.deepEqual(sameTruth(one, other), certain({ op: '=', left: A, right: B }));
  t.deepEqual(choice(certain(TRUE), one, other), one);
});

type Meaning = boolean | undefined;
const MEANINGS: readonly Meaning[] = [true, false, undefined];
const truthOf = (meaning: Meaning): Truth => ({
  isTrue: literal(meaning === true),
  isFalse: literal(meaning === false),
});
const meaningOf = ({ isTrue, isFalse }: Truth): Meaning => {
  const holds = (term: Term) => evaluate(term, new Map()) === true;
  if (holds(isTrue)) return true;
  return (isFalse === undefined ? !holds(isTrue) : holds(isFalse)) ? false : undefined;
};

test('two truths are the same only where both are defined', (t) => {
  for (const left of MEANINGS) {
    for (const right of MEANINGS) {
      const expected = left === undefined || right === undefined ? undefined : left === right;
      t.is(meaningOf(sameTruth(truthOf(left), truthOf(right))), expected, `${left} ${right}`);
    }
  }
});

test('a choice is undefined if its condition or the chosen branch is', (t) => {
  for (const condition of MEANINGS) {
    for (const branch of MEANINGS) {
      const [chosen, other] = [truthOf(branch), truthOf(true)];
      const outcome =
        condition === false ? choice(truthOf(false), other, chosen) : choice(truthOf(condition), chosen, other);
      const expected = condition === undefined ? undefined : branch;
      t.is(knownOutcome(outcome), expected, `${condition} ${branch}`);
      const number = branch === undefined ? missing(literal(7n)) : total(literal(7n));
      const ofNumbers =
        condition === false
          ? choice(truthOf(false), total(literal(8n)), number)
          : choice(truthOf(condition), number, total(literal(8n)));
      t.is(knownOutcome(ofNumbers), condition === undefined || branch === undefined ? undefined : 7n);
    }
  }
});

test('a choice of numbers is defined where the condition decides for one that is', (t) => {
  const [one, none] = [total(literal(1n)), missing(literal(0n))];
  const chosen = (condition: Term, whenTrue = one, whenFalse = one) =>
    knownOutcome(choice(certain(condition), whenTrue, whenFalse));
  t.is(chosen(TRUE), 1n);
  t.is(chosen(TRUE, none, one), undefined);
  t.is(chosen(TRUE, one, none), 1n);
  t.is(chosen(FALSE, none, one), 1n);
  t.is(chosen(FALSE, one, none), undefined);
  t.is(asQuantity(choice(certain(variable('c')), one, total(literal(2n)))).isDefined, undefined);
});

test('an outcome is never defined if nothing that is open can define it', (t) => {
  t.true(isNeverDefined(NEITHER));
  t.true(isNeverDefined(missing(A)));
  t.false(isNeverDefined(total(A)));
  t.false(isNeverDefined({ value: A, isDefined: B }));
  t.false(isNeverDefined({ isTrue: A, isFalse: FALSE }));
});
