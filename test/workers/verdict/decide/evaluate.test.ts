import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { cases, problemOf, worldsOf } from '../../../models/cases.ts';

const X = variable('x');
const NOTHING = new Map<string, bigint>();

test('a rule is true in exactly the worlds in which its meaning is true', (t) => {
  let both = 0;
  fc.assert(
    fc.property(cases('holds'), (one) => {
      const { rules } = problemOf(one);
      const { worlds, obeys, valuesIn } = worldsOf(one);
      const results = worlds.map((world) => rules.map(({ term }) => evaluate(term, valuesIn(world))));
      t.deepEqual(
        results,
        worlds.map((world) => one.rules.map((rule) => obeys(world, [rule]))),
      );
      both += Number(new Set(results.flat()).size === 2);
    }),
    { numRuns: 300, seed: 1 },
  );
  t.true(both > 100);
});

test('a value from partial knowledge is the value for every completion', (t) => {
  let decided = 0;
  fc.assert(
    fc.property(cases('holds'), (one) => {
      const { rules, values } = problemOf(one);
      const { worlds, obeys, agrees } = worldsOf(one);
      const agreeing = worlds.filter(agrees);
      for (const [index, { term }] of rules.entries()) {
        const value = evaluate(term, values);
        if (value === undefined) continue;
        decided += 1;
        t.true(agreeing.every((world) => obeys(world, [one.rules[index]]) === value));
      }
    }),
    { numRuns: runs(600), seed: 2 },
  );
  t.true(decided > runs(600) / 6);
});

test('a decisive operand decides, whatever is unknown', (t) => {
  const [yes, no] = [literal(true), literal(false)];
  t.is(evaluate({ op: 'and', args: [X, no] }, NOTHING), false);
  t.is(evaluate({ op: 'or', args: [X, yes] }, NOTHING), true);
  t.is(evaluate({ op: 'and', args: [X, yes] }, NOTHING), undefined);
  t.is(evaluate({ op: 'ite', condition: X, whenTrue: yes, whenFalse: yes }, NOTHING), true);
  t.is(evaluate({ op: 'ite', condition: X, whenTrue: yes, whenFalse: no }, NOTHING), undefined);
  t.is(evaluate({ op: 'ite', condition: no, whenTrue: X, whenFalse: yes }, NOTHING), true);
  t.is(evaluate({ op: '+', args: [X, literal(1n)] }, NOTHING), undefined);
});

test('a value of another sort than the term expects is an error', (t) => {
  const wrong: readonly Term[] = [
    { op: 'not', arg: X },
    { op: '=', left: X, right: literal(1n) },
    { op: '<', left: X, right: literal(1n) },
  ];
  for (const term of wrong) t.throws(() => evaluate(term, new Map([['x', 'A']])), { instanceOf: TypeError });
});
