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

/** Types, and the bounds with which they are read. */
const READ: readonly (readonly [json: object, min?: bigint, max?: bigint])[] = [
  [{ type: 'int' }, -LARGEST, LARGEST],
  [{ type: 'int', min: '-3' }, -3n, LARGEST],
  [{ type: 'int', min: '3', max: '3' }, 3n, 3n],
  [{ type: 'decimal', scale: 2, min: '0.01', max: '9.99' }, 1n, 999n],
  [{ type: 'decimal', scale: 0, min: '0', max: '1' }, 0n, 1n],
  [{ type: 'decimal', scale: 18, min: `0.${'0'.repeat(18)}`, max: `1.${'0'.repeat(18)}` }, 0n, 10n ** 18n],
  [{ type: 'bool' }],
  [{ type: 'enum', values: ['b', 'a'.repeat(64)] }],
  [{ type: 'enum', values: Array.from({ length: 256 }, (_, index) => `${index}`) }],
  [{ type: 'string', max: 0 }],
  [{ type: 'string', max: 65_536 }],
];

test('types are read with exact bounds, and are written as they are read', (t) => {
  for (const [json, min, max] of READ) {
    const type = parseType(json, '');
    t.deepEqual<unknown, unknown>(type, min === undefined ? json : { ...json, min, max });
    t.deepEqual(formatType(type), json);
  }
  t.deepEqual(parseType({ type: 'int', min: -1, max: 7 }, ''), { type: 'int', min: -1n, max: 7n });
});

test('times, durations and folds are only read where they are asked for', (t) => {
  const folded = { type: 'string', max: 9, fold: 'email' } as const;
  for (const type of [folded, { type: 'string', max: 9 } as const, TIME, DURATION]) {
    const json = type.type === 'string' ? type : { type: type.type };
    t.deepEqual(parseType(json, '', [], FOLDED_TYPES), type);
    t.deepEqual(formatType(type), json);
  }
  t.deepEqual(parseType({ type: 'time' }, '', [], TIMED_TYPES), TIME);
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

test('further properties of a type are refused unless the caller reads them', (t) => {
  const json = { type: 'decimal', scale: 2, at: '/total' };
  t.deepEqual(parseType(json, '', ['at']), { type: 'decimal', scale: 2, min: -LARGEST, max: LARGEST });
  refuses(t, () => parseType(json, '/x'), 'MALFORMED_TYPE', '/x/at');
  refuses(t, () => parseType({ type: 'bool', max: 1 }, '/x'), 'MALFORMED_TYPE', '/x/max');
  refuses(t, () => parseType(JSON.parse('{"type":"bool","__proto__":1}'), ''), 'MALFORMED_TYPE', '/__proto__');
});

/** What is no type, by its code and the path. */
const REFUSED: readonly (readonly [code: string, path: string, ...jsons: readonly unknown[]])[] = [
  ['MALFORMED_TYPE', '', null, ['int'], { type: 'int', min: 1, max: 0 }],
  ['MALFORMED_TYPE', '/type', {}, { type: 'float' }, { type: 'constructor' }],
  ['MALFORMED_TYPE', '/min', { type: 'int', min: 2 ** 53 }, { type: 'int', min: -0 }],
  ['MALFORMED_TYPE', '/min', { type: 'decimal', scale: 1, min: 0 }],
  ['WRONG_SCALE', '/max', { type: 'int', max: '1.0' }],
  ['WRONG_SCALE', '/min', { type: 'decimal', scale: 1, min: '0' }],
  ['MALFORMED_TYPE', '/scale', { type: 'decimal' }, { type: 'decimal', scale: 19 }],
  ['MALFORMED_TYPE', '/values', { type: 'enum', values: [] }, { type: 'enum', values: ['a', 'a'] }],
  ['MALFORMED_TYPE', '/values', { type: 'enum', values: Array.from({ length: 257 }, (_, index) => `${index}`) }],
  ['MALFORMED_TYPE', '/values/1', { type: 'enum', values: ['a', ''] }],
  ['MALFORMED_TYPE', '/values/0', { type: 'enum', values: ['', 'a'] }],
  ['MALFORMED_VALUE', '/values/1', { type: 'enum', values: ['a', 1] }],
  ['MALFORMED_STRING', '/values/0', { type: 'enum', values: ['\ud800'] }],
  ['STRING_TOO_LONG', '/values/0', { type: 'enum', values: ['a'.repeat(65)] }],
  ['MALFORMED_TYPE', '/max', { type: 'string' }, { type: 'string', max: -1 }, { type: 'string', max: 65_537 }],
];

test('a type that does not exist is refused', (t) => {
  for (const [code, path, ...jsons] of REFUSED)
    for (const json of jsons) refuses(t, () => parseType(json, '/v'), code, `/v${path}`, JSON.stringify(json));
});

test('at most 256 names are accepted, of letters, digits and _ . : -', (t) => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, { type: 'bool' }]));
  t.is(parseTypes(names(256), '').size, 256);
  refuses(t, () => parseTypes(names(257), '/variables'), 'TOO_MANY_VARIABLES', '/variables');
  refuses(t, () => parseTypes({ 'a/b~': { type: 'bool' } }, ''), 'MALFORMED_TYPE', '/a~1b~0');
});
