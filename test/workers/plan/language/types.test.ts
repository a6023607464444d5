import test from 'ava';
import {
  DURATION,
  FOLDED_TYPES,
  formatType,
  parseType,
  parseTypes,
  TIME,
  TIMED_TYPES,
  type TypeReaders,
  withoutBounds,
} from '../../../../workers/plan/language/types.ts';
import { refuses } from '../../verdict/thrown.ts';

const LARGEST = 10n ** 38n - 1n;

test('types are read with exact bounds', (t) => {
  t.deepEqual(parseType({ type: 'int', min: -1, max: '7' }, ''), { type: 'int', min: -1n, max: 7n });
  t.deepEqual(parseType({ type: 'decimal', scale: 2, min: '0.01', max: '9.99' }, ''), {
    type: 'decimal',
    scale: 2,
    min: 1n,
    max: 999n,
  });
  t.deepEqual(parseType({ type: 'bool' }, ''), { type: 'bool' });
  t.deepEqual(parseType({ type: 'enum', values: ['a', 'b'] }, ''), { type: 'enum', values: ['a', 'b'] });
  t.deepEqual(parseType({ type: 'string', max: 64 }, ''), { type: 'string', max: 64 });
  const values = Array.from({ length: 256 }, (_, index) => `${index}`);
  t.deepEqual(parseType({ type: 'enum', values }, ''), { type: 'enum', values });
  t.deepEqual(parseType({ type: 'string', max: 0 }, ''), { type: 'string', max: 0 });
});

test('a type may have the least and the greatest bounds', (t) => {
  t.deepEqual(parseType({ type: 'int', min: 3, max: 3 }, ''), { type: 'int', min: 3n, max: 3n });
  const whole = { type: 'decimal', scale: 0 } as const;
  t.deepEqual(parseType({ ...whole, min: '0', max: '1' }, ''), { ...whole, min: 0n, max: 1n });
  const finest = { type: 'decimal', scale: 18 } as const;
  const [min, max] = [`0.${'0'.repeat(18)}`, `1.${'0'.repeat(18)}`];
  t.deepEqual(parseType({ ...finest, min, max }, ''), { ...finest, min: 0n, max: 10n ** 18n });
  const longest = { type: 'enum', values: ['a'.repeat(64)] } as const;
  t.deepEqual(parseType(longest, ''), longest);
  t.deepEqual(parseType({ type: 'string', max: 65_536 }, ''), { type: 'string', max: 65_536 });
});

test('times, durations and folds are only read where they are asked for', (t) => {
  const folded = { type: 'string', max: 9, fold: 'email' } as const;
  t.deepEqual(parseType(folded, '', [], FOLDED_TYPES), folded);
  t.deepEqual(parseType({ type: 'string', max: 9 }, '', [], FOLDED_TYPES), { type: 'string', max: 9 });
  t.deepEqual(parseType({ type: 'time' }, '', [], TIMED_TYPES), TIME);
  t.deepEqual(parseType({ type: 'duration' }, '', [], FOLDED_TYPES), DURATION);
  const refusals: readonly (readonly [object, TypeReaders | undefined, string])[] = [
    [folded, TIMED_TYPES, '/fold'],
    [{ ...folded, fold: 'upper' }, FOLDED_TYPES, '/fold'],
    [{ type: 'time' }, undefined, '/type'],
    [{ type: 'duration' }, undefined, '/type'],
    [{ type: 'time', min: 0 }, TIMED_TYPES, '/min'],
  ];
  for (const [json, readers, path] of refusals) {
    refuses(t, () => parseType(json, '', [], readers), 'MALFORMED_TYPE', path);
  }
});

test('only numbers have bounds that can be left out, and only texts a fold', (t) => {
  t.deepEqual(withoutBounds({ type: 'int', min: 0n, max: 7n }), { type: 'int', min: -LARGEST, max: LARGEST });
  const decimal = { type: 'decimal', scale: 2, min: 0n, max: 7n } as const;
  t.deepEqual(withoutBounds(decimal), { ...decimal, min: -LARGEST, max: LARGEST });
  t.deepEqual(withoutBounds({ type: 'string', max: 3, fold: 'email' }), { type: 'string', max: 3 });
  for (const type of [TIME, DURATION, { type: 'bool' }] as const) t.is(withoutBounds(type), type);
});

test('a type is written as it is read, without the bounds that it does not have', (t) => {
  for (const json of [
    { type: 'int' },
    { type: 'int', min: '-3' },
    { type: 'decimal', scale: 2, min: '0.00', max: '9.50' },
    { type: 'bool' },
    { type: 'enum', values: ['b', 'a'] },
    { type: 'string', max: 3, fold: 'trimmed' },
    { type: 'time' },
    { type: 'duration' },
  ]) {
    t.deepEqual(formatType(parseType(json, '', [], FOLDED_TYPES)), json);
  }
});

test('a number without bounds has up to 38 digits', (t) => {
  t.deepEqual(parseType({ type: 'int' }, ''), { type: 'int', min: -LARGEST, max: LARGEST });
});

test('further properties of a type are refused unless the caller reads them', (t) => {
  const json = { type: 'decimal', scale: 2, at: '/total' };
  t.deepEqual(parseType(json, '', ['at']), { type: 'decimal', scale: 2, min: -LARGEST, max: LARGEST });
  refuses(t, () => parseType(json, '/x'), 'MALFORMED_TYPE', '/x/at');
  refuses(t, () => parseType({ type: 'bool', max: 1 }, '/x'), 'MALFORMED_TYPE', '/x/max');
  refuses(t, () => parseType(JSON.parse('{"type":"bool","__proto__":1}'), ''), 'MALFORMED_TYPE', '/__proto__');
});

const REFUSED: readonly (readonly [unknown, string, string])[] = [
  [null, 'MALFORMED_TYPE', '/v'],
  [['int'], 'MALFORMED_TYPE', '/v'],
  [{}, 'MALFORMED_TYPE', '/v/type'],
  [{ type: 'float' }, 'MALFORMED_TYPE', '/v/type'],
  [{ type: 'constructor' }, 'MALFORMED_TYPE', '/v/type'],
  [{ type: 'int', min: 1, max: 0 }, 'MALFORMED_TYPE', '/v'],
  [{ type: 'int', min: 2 ** 53 }, 'MALFORMED_TYPE', '/v/min'],
  [{ type: 'int', min: -0 }, 'MALFORMED_TYPE', '/v/min'],
  [{ type: 'int', max: '1.0' }, 'WRONG_SCALE', '/v/max'],
  [{ type: 'decimal' }, 'MALFORMED_TYPE', '/v/scale'],
  [{ type: 'decimal', scale: 19 }, 'MALFORMED_TYPE', '/v/scale'],
  [{ type: 'decimal', scale: 1, min: '0' }, 'WRONG_SCALE', '/v/min'],
  [{ type: 'decimal', scale: 1, min: 0 }, 'MALFORMED_TYPE', '/v/min'],
  [{ type: 'enum', values: [] }, 'MALFORMED_TYPE', '/v/values'],
  [{ type: 'enum', values: ['a', 'a'] }, 'MALFORMED_TYPE', '/v/values'],
  [{ type: 'enum', values: ['a', ''] }, 'MALFORMED_TYPE', '/v/values/1'],
  [{ type: 'enum', values: ['', 'a'] }, 'MALFORMED_TYPE', '/v/values/0'],
  [{ type: 'enum', values: ['a', 1] }, 'MALFORMED_VALUE', '/v/values/1'],
  [{ type: 'enum', values: ['\ud800'] }, 'MALFORMED_STRING', '/v/values/0'],
  [{ type: 'enum', values: Array.from({ length: 257 }, (_, index) => `${index}`) }, 'MALFORMED_TYPE', '/v/values'],
  [{ type: 'enum', values: ['a'.repeat(65)] }, 'STRING_TOO_LONG', '/v/values/0'],
  [{ type: 'string' }, 'MALFORMED_TYPE', '/v/max'],
  [{ type: 'string', max: -1 }, 'MALFORMED_TYPE', '/v/max'],
  [{ type: 'string', max: 65_537 }, 'MALFORMED_TYPE', '/v/max'],
];
for (const [json, code, path] of REFUSED) {
  test(`${JSON.stringify(json)} is not a type: ${code} at ${path}`, (t) => {
    refuses(t, () => parseType(json, '/v'), code, path);
  });
}

test('at most 256 names are accepted, of letters, digits and _ . : -', (t) => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, { type: 'bool' }]));
  t.is(parseTypes(names(256), '').size, 256);
  refuses(t, () => parseTypes(names(257), '/variables'), 'TOO_MANY_VARIABLES', '/variables');
  refuses(t, () => parseTypes({ 'a/b~': { type: 'bool' } }, ''), 'MALFORMED_TYPE', '/a~1b~0');
});
