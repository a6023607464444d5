import { MAX_STRING_CODE_POINTS } from '../../exact/bounds.ts';
import { LanguageError } from '../../exact/language-error.ts';
import { formatNumber, parseLiteral, parseNumber } from '../../exact/numbers.ts';
import { codePointsOf, parseString } from './strings.ts';
import type { ValueType } from './types.ts';

/** What a value is, its type says: a number is the numerator at its type's scale, an enum's value is its string. */
export type Value = bigint | boolean | string;

/** A number of a JSON text as it is written there, for texts whose numbers JavaScript could not keep. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Reads a value of a type, as plans and arguments have it: numbers are strings with exactly the type's scale, and ints are safe JSON
 * integers too.
 * @throws {LanguageError} MALFORMED_VALUE, WRONG_SCALE, OUT_OF_RANGE, UNKNOWN_VALUE, and as parseNumber, parseString
 */
export function parseValue(json: unknown, type: ValueType, path: string): Value {
  if (type.type === 'decimal' && typeof json !== 'string') {
    throw new LanguageError('MALFORMED_VALUE', path, 'is not a number in a string');
  }
  return parseReported(json, type, path);
}

/**
 * Reads a value of a type, as responses and evidence have it. A number is a string with exactly the type's
 * scale, or a JSON number that is exactly a value of the type: `80`, `80.0` and `8e1` are 80.00 at scale 2, and `80.001`
 * is refused.
 * @param json JavaScript's numbers in it are believed to be what was written
 * @throws {LanguageError} as `parseValue`
 */
export function parseReported(json: unknown, type: ValueType, path: string): Value {
  const value = readValue(json, type, path);
  if (isOfType(value, type)) return value;
  if (type.type === 'enum') throw new LanguageError('UNKNOWN_VALUE', path, 'is none of the values of its type');
  throw new LanguageError('OUT_OF_RANGE', path, 'is outside the bounds of its type');
}

function readValue(json: unknown, type: ValueType, path: string): Value {
  switch (type.type) {
    case 'int':
    case 'decimal':
      return readNumerator(json, type, path);
    case 'bool':
      if (typeof json === 'boolean') return json;
      throw new LanguageError('MALFORMED_VALUE', path, 'is neither true nor false');
    case 'enum':
      return parseString(json, MAX_STRING_CODE_POINTS, path);
    case 'string':
      return parseString(json, type.max, path);
  }
}

function readNumerator(json: unknown, type: ValueType & { type: 'int' | 'decimal' }, path: string): bigint {
  const expected = type.type === 'decimal' ? type.scale : 0;
  if (json instanceof WrittenNumber) return parseLiteral(json.text, expected, path);
  if (typeof json === 'number') return parseLiteral(Object.is(json, -0) ? '-0' : String(json), expected, path);
  if (typeof json !== 'string') throw new LanguageError('MALFORMED_VALUE', path, 'is not a number');
  const { numerator, scale } = parseNumber(json, path);
  if (scale !== expected) throw new LanguageError('WRONG_SCALE', path, `has not exactly ${expected} decimals`);
  return numerator;
}

export function isOfType(value: Value, type: ValueType): boolean {
  switch (type.type) {
    case 'int':
    case 'decimal':
      return typeof value === 'bigint' && type.min <= value && value <= type.max;
    case 'bool':
      return typeof value === 'boolean';
    case 'enum':
      return typeof value === 'string' && type.values.includes(value);
    case 'string':
      return typeof value === 'string' && (value.length <= type.max || codePointsOf(value) <= type.max);
  }
}

/** A value as JSON has it, which {@link parseValue} reads back: numbers as strings. */
export function formatValue(value: Value, type: ValueType): string | boolean {
  if (typeof value !== 'bigint') return value;
  return formatNumber({ numerator: value, scale: type.type === 'decimal' ? type.scale : 0 });
}
