const LITERAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The number `±digits × 10^exponent`. Digits neither begin nor end with a zero; those of zero are empty. */
export interface NumberLiteral {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Reads a number as JSON writes it (RFC 8259, section 6), exactly. @throws {TypeError} for any other text */
export function parseNumberLiteral(text: string): NumberLiteral {
  const [, sign, whole, fraction = '', power = '0'] = LITERAL.exec(text) ?? [];
  if (whole === undefined) throw new TypeError('not a number literal');
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  const exponent = digits === '' ? 0 : Number(power) - fraction.length + significant.length - digits.length;
  return { isNegative: sign === '-', digits, exponent };
}

/** Whether JavaScript's number for a literal is that very number as `String` and JCS (RFC 8785) write it. */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const [written, kept] = [parseNumberLiteral(text), parseNumberLiteral(String(value))];
  return written.isNegative === kept.isNegative && written.digits === kept.digits && written.exponent === kept.exponent;
}
