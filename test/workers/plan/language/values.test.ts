import test from 'ava';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import {
  formatValue,
  isOfType,
  parseReported,
  parseValue,
  type Value,
  WrittenNumber,
} from '../../../../workers/plan/language/values.ts';
import { fc } from '../../../kit/fast-check.ts';
import { refuses } from '../../verdict/thrown.ts';

const INT: ValueType = { type: 'int', min: 0n, max: 9n };
const MONEY: ValueType = { type: 'decimal', scale: 2, min: -1000n, max: 10_000n };
const STATE: ValueType = { type: 'enum', values: ['open', 'done'] };
const TIME: ValueType = { type: 'time', min: 0n, max: 10n ** 15n };
const STRING: ValueType = { type: 'string', max: 2 };

const written = (text: string) => new WrittenNumber(text);
/** A number as it is written in JSON, and as JavaScript has it. */
const bothOf = (text: string) => [written(text), Number(text)];
const LARGE: ValueType = { type: 'int', min: 0n, max: 10n ** 38n - 1n };

/** What is reported, and its value: a number at the scale of its type, or microseconds. A text is not normalized. */
const READ: readonly (readonly [type: ValueType, value: Value, ...reported: readonly unknown[]])[] = [
  [MONEY, 8000n, '80.00', ...['80', '80.0', '80.000', '8e1', '0.8E+2', '8000e-2'].flatMap(bothOf)],
  [MONEY, -10n, written('-0.10')],
  [MONEY, 0n, written('0.000')],
  [INT, 3n, 3, '3'],
  [LARGE, 12345678901234567890n, written('12345678901234567890.0')],
  [LARGE, 10n ** 37n, written('1e37')],
  [TIME, 1_500_000n, '1970-01-01T00:00:01.500000Z', '1970-01-01T01:00:01.5+01:00'],
  [STRING, 'e\u0301', 'e\u0301'],
  [STRING, '😀😀', '😀😀'],
];

test('a reported value is read exactly', (t) => {
  for (const [type, value, ...reported] of READ)
    for (const one of reported) t.is(parseReported(one, type, ''), value, String(one));
});

test('a plan writes decimals as strings, and times with microseconds in UTC', (t) => {
  t.is(parseValue('80.00', MONEY, ''), 8000n);
  t.is(parseValue(3, INT, ''), 3n);
  t.is(parseValue('1970-01-01T00:00:01.500000Z', TIME, ''), 1_500_000n);
  refuses(t, () => parseValue(80, MONEY, '/v'), 'MALFORMED_VALUE', '/v');
  refuses(t, () => parseValue('1970-01-01T01:00:01.5+01:00', TIME, '/v'), 'MALFORMED_VALUE', '/v');
});

const BOOL: ValueType = { type: 'bool' };
/** What is no value of a type, by the code. */
const REFUSED: readonly (readonly [type: ValueType, code: string, ...values: readonly unknown[]])[] = [
  [MONEY, 'WRONG_SCALE', '80.0', '80', 80.001, written('79.99999999999999999999'), written('1e-400')],
  [MONEY, 'TOO_MANY_DIGITS', written('1e999999999999999999999')],
  [MONEY, 'MALFORMED_NUMBER', written('-0.0'), '-0.00'],
  [MONEY, 'OUT_OF_RANGE', '100.01'],
  [INT, 'TOO_MANY_DIGITS', written(`1${'0'.repeat(38)}`)],
  [INT, 'OUT_OF_RANGE', 10, 2 ** 53],
  [INT, 'WRONG_SCALE', 1.5, '3.0'],
  [INT, 'MALFORMED_NUMBER', -0],
  [INT, 'MALFORMED_VALUE', undefined],
  [TIME, 'MALFORMED_VALUE', '2026-02-30T00:00:00.000000Z', 5],
  [BOOL, 'MALFORMED_VALUE', written('1'), null, 'true'],
  [STATE, 'UNKNOWN_VALUE', 'Open'],
  [STATE, 'MALFORMED_VALUE', 1],
  [STRING, 'MALFORMED_STRING', '\ud83d', 'a\0'],
  [STRING, 'MALFORMED_VALUE', written('1'), ['a']],
  [STRING, 'STRING_TOO_LONG', '😀😀a'],
];

test('a value of another type is refused', (t) => {
  for (const [type, code, ...values] of REFUSED)
    for (const value of values) refuses(t, () => parseReported(value, type, '/v'), code, '/v', JSON.stringify(value));
});

test('a formatted value is read back', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -1000n, max: 10_000n }), (value) => {
      t.is(parseReported(formatValue(value, MONEY), MONEY, ''), value);
    }),
  );
});

const OF_TYPE: readonly (readonly [ValueType, readonly Value[], readonly Value[]])[] = [
  [INT, [0n, 9n], [-1n, 10n, '1', true]],
  [MONEY, [-1000n, 10_000n], [-1001n, 10_001n, '1.00', true]],
  [TIME, [0n], [-1n, '1970-01-01T00:00:00.000000Z', true]],
  [BOOL, [true, false], [1n, 'true']],
  [STATE, ['open', 'done'], ['Open', '', 1n, true]],
  [STRING, ['', 'ab', '😀😀'], ['abc', '😀😀😀', 1n, true]],
];
test('a value of a type is of its kind and within its bounds', (t) => {
  for (const [type, values, others] of OF_TYPE) {
    for (const value of values) t.true(isOfType(value, type), `${type.type} ${value}`);
    for (const value of others) t.false(isOfType(value, type), `${type.type} ${value}`);
  }
});
