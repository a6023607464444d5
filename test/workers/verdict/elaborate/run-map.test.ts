import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { RunMap } from '../../../../workers/verdict/elaborate/run-map.ts';
import { fc } from '../../../kit/fast-check.ts';

const KEYS = ['a', 'b', 'c'] as const;
const changes = fc.array(
  fc.record({
    key: fc.constantFrom(...KEYS),
    isKnown: fc.boolean(),
    value: fc.bigInt({ min: 0n, max: 5n }),
  }),
  { maxLength: 5 },
);

test('a map has the last value of each key, whether keys are known or open', (t) => {
  fc.assert(
    fc.property(changes, (drawn) => {
      const map = new RunMap({ byDefault: 9n });
      const values = new Map<string, Value>();
      const expected = new Map<string, bigint>();
      for (const [index, { key, isKnown, value }] of drawn.entries()) {
        map.set(isKnown ? literal(key) : variable(`k${index}`), literal(value));
        if (!isKnown) values.set(`k${index}`, key);
        expected.set(key, value);
      }
      const read = (term: Term) => evaluate(term, values);
      for (const key of KEYS) {
        t.is(read(map.at(literal(key))), expected.get(key) ?? 9n);
        t.is(evaluate(map.at(variable('x')), new Map([...values, ['x', key]])), expected.get(key) ?? 9n);
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('a copy keeps its entries when the map changes, and the other way round', (t) => {
  const map = new RunMap({ byDefault: 0n });
  const [a, b, open] = [literal('a'), literal('b'), variable('k')];
  map.set(a, literal(1n));
  map.set(open, literal(2n));
  const copy = map.copy();
  const shown = (of: RunMap) => [a, b].map((key) => evaluate(of.at(key), new Map([['k', 'c']])));
  t.deepEqual(shown(copy), [1n, 0n]);
  map.set(b, literal(3n));
  copy.set(b, literal(4n));
  copy.set(a, literal(5n));
  t.deepEqual(shown(map), [1n, 3n]);
  t.deepEqual(shown(copy), [5n, 4n]);
});

test('a value at a key that is known needs no choice among other known keys', (t) => {
  const map = new RunMap({ byDefault: 0n });
  for (const key of KEYS) map.set(literal(key), literal(7n));
  t.deepEqual(map.at(literal('b')), literal(7n));
  t.deepEqual(map.at(literal('z')), literal(0n));
});

test('256 changes at open keys can be written out, and more cannot', (t) => {
  const map = new RunMap({ byDefault: 0n });
  for (let index = 0; index < 256; index += 1) map.set(variable(`k${index}`), literal(1n));
  t.notThrows(() => map.at(literal('a')));
  map.set(variable('k'), literal(1n));
  t.like(
    t.throws(() => map.at(literal('a'))),
    { code: 'TOO_MANY_NODES', path: '' },
  );
});

test('a known key is looked up among any number of known keys, and an open one among 256', (t) => {
  const map = new RunMap({ byDefault: 0n });
  for (let index = 0; index <= 256; index += 1) map.set(literal(`${index}`), literal(1n));
  t.deepEqual(map.at(literal('256')), literal(1n));
  t.like(
    t.throws(() => map.at(variable('x'))),
    { code: 'TOO_MANY_NODES' },
  );
});
