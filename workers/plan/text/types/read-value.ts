import { MAX_DIGITS } from '../../../exact/bounds.ts';
import { toMicroseconds } from '../../../exact/durations.ts';
import { foldText, isFolded } from '../../../exact/fold-text.ts';
import { formatInstant, readInstant as instantOf } from '../../../exact/instants.ts';
import { type NumberType, scaleOf, type ValueType } from '../../language/types.ts';
import { formatValue, type Value } from '../../language/values.ts';
import { didYouMean, withoutSeparators } from '../faults/suggest.ts';
import { TextError } from '../faults/text-fault.ts';
import { quote } from '../yaml/fields.ts';
import { asScalar, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import { describeType } from './describe-type.ts';
import { explainDuration } from './time-text.ts';

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Reads a scalar as a value of a type. @throws {TextError} */
export function readValue({ text, at, isQuoted }: ScalarNode, type: ValueType): Value {
  switch (type.type) {
    case 'int':
    case 'decimal':
      return readNumber(text, type, at);
    case 'bool':
      if (!isQuoted && (text === 'true' || text === 'false')) return text === 'true';
      throw new TextError('MALFORMED_VALUE', at, `${quote(text)} is not a bool: write true or false`);
    case 'enum':
      if (type.values.includes(text)) return text;
      throw new TextError(
        'UNKNOWN_VALUE',
        at,
        `${quote(text)} is not a value of ${describeType(type)}.${didYouMean(text, type.values)}`,
      );
    case 'string':
      return readString(text, type, at);
    case 'time':
      return readInstant(text, at);
    case 'duration': {
      const microseconds = toMicroseconds(text);
      if (microseconds !== undefined) return microseconds;
      throw new TextError(
        'MALFORMED_TIME',
        at,
        `${quote(text)} is not a duration: write ${explainDuration(text) ?? 'hours and minutes, such as 1h30m'}`,
      );
    }
  }
}

/** As {@link readValue}, as plans write it: a number is a string with exactly the decimals of its type. */
export const readWritten = (scalar: ScalarNode, type: ValueType): string | boolean =>
  formatValue(readValue(scalar, type), type);

/** A time, as plans write it. `what` describes it. @throws {TextError} */
export function readTime(node: TextNode, what = 'a time such as 2099-12-31T00:00:00Z'): string {
  const { text, at } = asScalar(node, what);
  return formatInstant(readInstant(text, at));
}

/** @throws {TextError} MALFORMED_TIME */
function readInstant(text: string, at: number): bigint {
  const instant = instantOf(text);
  if (instant !== undefined) return instant;
  const isDate = instantOf(`${text}T00:00:00Z`) !== undefined;
  const message = isDate
    ? `${quote(text)} is a date without a time of day: write, for example, ${text}T00:00:00Z`
    : `${quote(text)} is not a time that exists: write, for example, 2099-12-31T00:00:00Z`;
  throw new TextError('MALFORMED_TIME', at, message);
}

function readString(text: string, { max, fold }: ValueType & { type: 'string' }, at: number): string {
  const length = [...text].length;
  if (length <= max && isFolded(text, fold)) return text;
  if (fold !== undefined && length <= max) {
    throw new TextError(
      'NOT_FOLDED',
      at,
      `${quote(text)} is not folded (${fold}): write ${quote(foldText(text, fold))}`,
    );
  }
  throw new TextError(
    'OUT_OF_RANGE',
    at,
    `the text has ${length} characters, and its type string(${max}) allows ${max}`,
  );
}

/** Reads a number exactly, at the scale of its type. Missing decimals are added; none is dropped. @throws {TextError} */
export function readNumber(text: string, type: NumberType, at: number): bigint {
  const scale = scaleOf(type);
  const match = NUMBER.exec(text);
  if (match === null) throw malformedNumber(text, at);
  const { length } = match[1] ?? '';
  if (length > scale) {
    const wanted = scale === 0 ? 'is a whole number' : `has ${scale} decimals`;
    throw new TextError(
      'OUT_OF_RANGE',
      at,
      `${quote(text)} has ${length} decimals, and ${describeType(type)} ${wanted}`,
    );
  }
  const missing = scale - length;
  if (text.replace(/[-.]/g, '').length + missing > MAX_DIGITS) throw tooManyDigits(at);
  const numerator = BigInt(text.replace('.', '')) * 10n ** BigInt(missing);
  if (numerator === 0n && text.startsWith('-')) {
    throw new TextError('MALFORMED_NUMBER', at, 'there is no negative zero: write 0');
  }
  if (numerator < type.min || numerator > type.max) {
    throw new TextError('OUT_OF_RANGE', at, `${quote(text)} is outside the bounds of ${describeType(type)}`);
  }
  return numerator;
}

export function malformedNumber(text: string, at: number, hint = ''): TextError {
  const digits =
    withoutSeparators(text) ?? 'digits such as 12 or -0.50, without exponent, separators, units or leading zeros';
  return new TextError('MALFORMED_NUMBER', at, `${quote(text)} is not a number: write ${digits}${hint}`);
}

export const tooManyDigits = (at: number): TextError =>
  new TextError('MALFORMED_NUMBER', at, `the number has more than ${MAX_DIGITS} digits`);

export const isNumber = (text: string): boolean => NUMBER.test(text);
/** Decimals of a text that `isNumber`. */
export const decimalsOf = (text: string): number => (NUMBER.exec(text)?.[1] ?? '').length;
