import { MAX_DIGITS } from './bounds.ts';
import { withoutOuterZeros } from './canonical-number.ts';
import { DocumentError } from './document-error.ts';

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.(?<fraction>[0-9]+))?$/;

const LITERAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The exact number `numerator / 10^scale`. */
export interface Decimal {
  readonly numerator: bigint;
  readonly scale: number;
}

/**
 * Reads `-?(0|[1-9][0-9]*)(\.[0-9]+)?`. Each number of a scale has one text, so that equal numbers have equal hashes: no
 * exponent, no plus sign, no leading zeros, no negative zero.
 * @throws {DocumentError} MALFORMED_NUMBER, TOO_MANY_DIGITS (more than 38)
 */
export function parseNumber(text: string, path: string): Decimal {
  // The sign and the point are not digits. BigInt takes quadratic time, so it never gets a longer text.
  if (text.length > MAX_DIGITS + 2) throw new DocumentError('TOO_MANY_DIGITS', path, tooMany);
  const match = NUMBER.exec(text);
  if (match === null) throw new DocumentError('MALFORMED_NUMBER', path, 'is not a number such as 12 or -0.50');
  const { fraction = '' } = match.groups ?? {};
  const scale = fraction.length;
  if (text.replace(/[-.]/g, '').length > MAX_DIGITS) throw new DocumentError('TOO_MANY_DIGITS', path, tooMany);
  const numerator = BigInt(text.replace('.', ''));
  if (numerator === 0n && text.startsWith('-')) throw new DocumentError('MALFORMED_NUMBER', path, 'is a negative zero');
  return { numerator, scale };
}

/**
 * Reads a JSON number exactly.
 * @returns its numerator at `scale`
 * @throws {DocumentError} MALFORMED_NUMBER, TOO_MANY_DIGITS (more than 38), WRONG_SCALE (more decimals than `scale`)
 */
export function parseLiteral(text: string, scale: number, path: string): bigint {
  const match = LITERAL.exec(text);
  if (match === null) throw new DocumentError('MALFORMED_NUMBER', path, 'is not a JSON number');
  // A group that is optional in the grammar has a default here.
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const { text: digits, zerosAfter } = withoutOuterZeros(whole + fraction);
  if (digits === '') {
    if (sign === '-') throw new DocumentError('MALFORMED_NUMBER', path, 'is a negative zero');
    return 0n;
  }
  const zeros = Number(power) - fraction.length + zerosAfter + scale;
  if (zeros < 0) throw new DocumentError('WRONG_SCALE', path, `has more than ${scale} decimals`);
  if (digits.length + zeros > MAX_DIGITS) throw new DocumentError('TOO_MANY_DIGITS', path, tooMany);
  return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`);
}

const tooMany = `has more than ${MAX_DIGITS} digits`;

/** Writes a number so that {@link parseNumber} reads it back. */
export function formatNumber({ numerator, scale }: Decimal): string {
  const digits = (numerator < 0n ? -numerator : numerator).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${numerator < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
}
