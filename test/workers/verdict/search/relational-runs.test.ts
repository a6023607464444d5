import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { isGuessed } from '../../../../workers/verdict/search/guess.ts';
import { runs } from '../../../kit/property-runs.ts';
import { by, decisionOn } from '../../../models/abstracted-plan.ts';
import { drawCases } from '../../../models/cases.ts';
import { APPROVALS, readCase, readCaseActions } from '../../../models/relational/draw-case.ts';
import {
  judgeCases,
  type RelationalKind,
  type RelationalVerdict,
} from '../../../models/relational/relational-cases.ts';

/** Verdicts other than the right one. Not to decide is not wrong where something is open, such as both factors of a product. */
function wrongOf(kind: RelationalKind, verdicts: Iterable<RelationalVerdict>): readonly RelationalVerdict[] {
  const mayBeOpen = kind === 'completion' || kind === 'outcomes';
  const isUndecided = (verdict: string) => mayBeOpen && verdict === 'indeterminate';
  return [...verdicts].filter(
    ({ verdict, right }) => right !== undefined && verdict !== right && !isUndecided(verdict),
  );
}

for (const kind of ['alignment', 'constraints'] as const) {
  test(`${kind}: the evaluator finds what an interpreter of the document finds`, (t) => {
    t.deepEqual(wrongOf(kind, judgeCases(kind, { seed: 8402, count: runs(1500), by: undefined })), []);
  });

  test(`${kind}: the evaluator and z3 together find what an interpreter of the document finds`, (t) => {
    t.deepEqual(wrongOf(kind, judgeCases(kind, { seed: 8403, count: 60, by })), []);
  });
}

test('arguments that are lists, objects or optional: all verdicts are those of an interpreter of the document', (t) => {
  const drawn = { seed: 8406, hasParts: true } as const;
  for (const [kind, count, solver] of [
    ['alignment', runs(400), undefined],
    ['constraints', runs(400), undefined],
    ['constraints', 60, by],
    ['outcomes', runs(100), by],
    ['completion', 40, by],
  ] as const) {
    const verdicts = [...judgeCases(kind, { ...drawn, count, by: solver })];
    t.deepEqual(wrongOf(kind, verdicts), [], kind);
    t.true(verdicts.filter(({ verdict }) => verdict === 'satisfied').length > verdicts.length / 20, kind);
  }
});

test('outcomes: a run passes if and only if it does however its acts without a response turned out', (t) => {
  const verdicts = [...judgeCases('outcomes', { seed: 8405, count: runs(300), by })];
  t.deepEqual(wrongOf('outcomes', verdicts), []);
  const ofSome = verdicts.filter(({ source }) => source.acts.some(({ outcome }) => outcome !== undefined));
  const [passed, undecided] = ['satisfied', 'indeterminate'].map((each) =>
    ofSome.filter(({ verdict }) => verdict === each),
  );
  t.true(defined(passed).length > ofSome.length / 20);
  t.true(defined(undecided).length < ofSome.length / 20);
});

test('what can follow is what trying every continuation finds, and an abstraction rules out no run that exists', (t) => {
  const verdicts = [...judgeCases('completion', { seed: 8404, count: 150, by })];
  t.deepEqual(wrongOf('completion', verdicts), []);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'indeterminate');
  t.true(decided.length > verdicts.length / 2);
  const abstracted = (found: string) =>
    verdicts.flatMap(({ right, source }) => {
      const plan = readCase(source);
      return right === found ? decisionOn(plan, readCaseActions(source, plan), { approvals: APPROVALS }).verdict : [];
    });
  t.deepEqual(new Set(abstracted('satisfied')), new Set(['satisfied']));
  t.true(abstracted('violated').filter((verdict) => verdict === 'violated').length > 20);
});

test('what a guess solves is possible, and most of what is possible is guessed', (t) => {
  let [guessed, possible] = [0, 0];
  for (const { problem, right, source } of drawCases('possible', 8402, runs(500))) {
    if (right === 'satisfied') possible += 1;
    if (!isGuessed(problem)) continue;
    t.is(right, 'satisfied', JSON.stringify(source));
    guessed += 1;
  }
  t.true(guessed > possible / 2, `${guessed} of ${possible}`);
});
