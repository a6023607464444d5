import { MAX_DIGITS } from './bounds.ts';
import { withoutOuterZeros } from './canonical-number.ts';
import { LanguageError } from './language-error.ts';

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.(?<fraction>[0-9]+))?$/;

const LITERAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The exact number `numerator / 10^scale`. */
export interface Decimal {
  readonly numerator: bigint;
  readonly scale: number;
}

/**
 * Reads `-?(0|[1-9][0-9]*)(\.[0-9]+)?`: one text for each number of a scale, so that equal numbers hash equally. Hence
 * no exponent, no plus sign, no leading zeros, no negative zero.
 * @throws {LanguageError} MALFORMED_NUMBER, TOO_MANY_DIGITS (more than 38)
 */
export function parseNumber(text: string, path: string): Decimal {
  // A sign and a point come on top of the digits; what is longer is never given to BigInt, which is quadratic.
  if (text.length > MAX_DIGITS + 2) throw new LanguageError('TOO_MANY_DIGITS', path, tooMany);
  const match = NUMBER.exec(text);
  if (match === null) throw new LanguageError('MALFORMED_NUMBER', path, 'is not a number as the language writes them');
  const scale = match.groups?.['fraction']?.length ?? 0;
  if (text.replace(/[-.]/g, '').length > MAX_DIGITS) throw new LanguageError('TOO_MANY_DIGITS', path, tooMany);
  const numerator = BigInt(text.replace('.', ''));
  if (numerator === 0n && text.startsWith('-')) throw new LanguageError('MALFORMED_NUMBER', path, 'is a negative zero');
  return { numerator, scale };
}

/**
 * Reads a number as JSON writes it, exactly.
 * @returns the numerator at `scale`
 * @throws {LanguageError} MALFORMED_NUMBER, TOO_MANY_DIGITS (more than 38), WRONG_SCALE (more decimals than `scale`)
 */
export function parseLiteral(text: string, scale: number, path: string): bigint {
  const [, sign, whole, fraction = '', power = '0'] = LITERAL.exec(text) ?? [];
  if (whole === undefined) throw new LanguageError('MALFORMED_NUMBER', path, 'is not a number as JSON writes them');
  const { text: digits, zerosAfter } = withoutOuterZeros(whole + fraction);
  if (digits === '') {
    if (sign === '-') throw new LanguageError('MALFORMED_NUMBER', path, 'is a negative zero');
    return 0n;
  }
  const zeros = Number(power) - fraction.length + zerosAfter + scale;
  if (zeros < 0) throw new LanguageError('WRONG_SCALE', path, `has more than ${scale} decimals`);
  if (digits.length + zeros > MAX_DIGITS) throw new LanguageError('TOO_MANY_DIGITS', path, tooMany);
  return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`);
}

const tooMany = `has more than ${MAX_DIGITS} digits`;

/** The text that {@link parseNumber} reads back. */
export function formatNumber({ numerator, scale }: Decimal): string {
  const digits = (numerator < 0n ? -numerator : numerator).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${numerator < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
}
