import { MAX_STRING_CODE_POINTS } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { foldText, isFolded } from '../../exact/fold-text.ts';
import { formatInstant, parseInstant, readInstant } from '../../exact/instants.ts';
import { formatNumber, parseLiteral, parseNumber } from '../../exact/numbers.ts';
import { codePointsOf, parseString } from './strings.ts';
import { scaleOf, type ValueType } from './types.ts';

/** A value of some type. A number is its numerator at the type's scale. A value of an enum is its string. */
export type Value = bigint | boolean | string;

/** A number of a JSON text as it is written, for texts with numbers that a double cannot hold. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Reads a value of a type from a plan or an argument. A number is a string with exactly the type's scale. An int may also be
 * a safe JSON integer. A time is a string such as `2026-12-05T00:00:00.000000Z`, a duration a number of microseconds.
 * @throws {DocumentError} MALFORMED_VALUE, WRONG_SCALE, OUT_OF_RANGE, UNKNOWN_VALUE, NOT_FOLDED, and as parseNumber, parseString
 */
export function parseValue(json: unknown, type: ValueType, path: string): Value {
  if (type.type === 'decimal' && typeof json !== 'string') {
    throw new DocumentError('MALFORMED_VALUE', path, 'is not a number in a string');
  }
  if (type.type === 'time') return parseInstant(json, path);
  return parseReported(json, type, path);
}

/**
 * Reads a value of a type from a response or from evidence. A number is a string with exactly the type's scale, or a JSON
 * number that is exactly a value of the type. At scale 2, `80`, `80.0` and `8e1` are 80.00, and `80.001` is refused. A time
 * may have any offset, and at most six decimals.
 * @param json its JavaScript numbers must be what was written
 * @throws {DocumentError} as `parseValue`
 */
export function parseReported(json: unknown, type: ValueType, path: string): Value {
  const value = readValue(json, type, path);
  if (isOfType(value, type)) return value;
  if (type.type === 'string' && type.fold !== undefined && typeof value === 'string' && !isFolded(value, type.fold)) {
    const message = `is not folded (${type.fold}): write ${JSON.stringify(foldText(value, type.fold))}`;
    throw new DocumentError('NOT_FOLDED', path, message);
  }
  if (type.type === 'enum') throw new DocumentError('UNKNOWN_VALUE', path, 'is not a value of its type');
  throw new DocumentError('OUT_OF_RANGE', path, 'is outside the bounds of its type');
}

function readValue(json: unknown, type: ValueType, path: string): Value {
  switch (type.type) {
    case 'int':
    case 'decimal':
    case 'duration':
      return readNumerator(json, type, path);
    case 'time': {
      const instant = typeof json === 'string' ? readInstant(json) : undefined;
      if (instant !== undefined) return instant;
      throw new DocumentError('MALFORMED_VALUE', path, 'is not a time such as 2026-12-05T00:00:00Z');
    }
    case 'bool':
      if (typeof json === 'boolean') return json;
      throw new DocumentError('MALFORMED_VALUE', path, 'is neither true nor false');
    case 'enum':
      return parseString(json, MAX_STRING_CODE_POINTS, path);
    case 'string':
      return parseString(json, type.max, path);
  }
}

function readNumerator(
  json: unknown,
  type: ValueType & { type: 'int' | 'decimal' | 'duration' },
  path: string,
): bigint {
  const expected = scaleOf(type);
  if (json instanceof WrittenNumber) return parseLiteral(json.text, expected, path);
  if (typeof json === 'number') return parseLiteral(Object.is(json, -0) ? '-0' : String(json), expected, path);
  if (typeof json !== 'string') throw new DocumentError('MALFORMED_VALUE', path, 'is not a number');
  const { numerator, scale } = parseNumber(json, path);
  if (scale !== expected) throw new DocumentError('WRONG_SCALE', path, `does not have exactly ${expected} decimals`);
  return numerator;
}

export function isOfType(value: Value, type: ValueType): boolean {
  switch (type.type) {
    case 'int':
    case 'decimal':
    case 'time':
    case 'duration':
      return typeof value === 'bigint' && type.min <= value && value <= type.max;
    case 'bool':
      return typeof value === 'boolean';
    case 'enum':
      return typeof value === 'string' && type.values.includes(value);
    case 'string':
      return (
        typeof value === 'string' &&
        (value.length <= type.max || codePointsOf(value) <= type.max) &&
        isFolded(value, type.fold)
      );
  }
}

/** Writes a value so that {@link parseValue} reads it back. Numbers are strings. */
export function formatValue(value: Value, type: ValueType): string | boolean {
  if (typeof value !== 'bigint') return value;
  if (type.type === 'time') return formatInstant(value);
  return formatNumber({ numerator: value, scale: scaleOf(type) });
}

/** Stands for a value that is not there. A truth value is false: nothing inside of what is not there is there. */
export function anyValue(type: ValueType): Value {
  switch (type.type) {
    case 'bool':
      return false;
    case 'enum':
      return type.values[0] ?? '';
    case 'string':
      return '';
    default:
      return type.min > 0n ? type.min : type.max < 0n ? type.max : 0n;
  }
}
