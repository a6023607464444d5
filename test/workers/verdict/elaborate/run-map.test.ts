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
      let map = new RunMap({ byDefault: 9n });
      const values = new Map<string, Value>();
      const expected = new Map<string, bigint>();
      for (const [index, { key, isKnown, value }] of drawn.entries()) {
        // What is copied keeps its entries when the copy changes.
        map = map.copy();
        map.copy().set(variable('other'), literal(7n));
        map.copy().set(literal(key), literal(8n));
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
