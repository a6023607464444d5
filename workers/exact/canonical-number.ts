const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?(-?)0*([0-9]+))?$/;
const SHORT_INTEGER = /^-?[1-9][0-9]{0,14}$/;
/** Computing with a longer exponent takes long. No type has numbers of that size. */
const MAX_EXPONENT_DIGITS = 18;

/**
 * The canonical text of a JSON number: equal numbers have equal texts. It has digits without zeros at either end, then an
 * exponent: `8e1` for `80.00`. Every zero is `0`.
 * @throws {TypeError} if `literal` is not a number
 */
export function canonicalNumber(literal: string): string {
  if (SHORT_INTEGER.test(literal) && !literal.endsWith('0')) return `${literal}e0`;
  const match = NUMBER.exec(literal);
  if (match === null) throw new TypeError('the literal is not a JSON number');
  // A group that is optional in the grammar has a default here.
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponent = '0'] = match;
  const digits = withoutOuterZeros(whole + fraction);
  if (digits.text === '') return '0';
  const written = `${exponentSign}${exponent}`;
  if (exponent.length > MAX_EXPONENT_DIGITS) return `${sign}${whole}.${fraction}e${written}`;
  const shift = BigInt(digits.zerosAfter) - BigInt(fraction.length);
  return `${sign}${digits.text}e${BigInt(written) + shift}`;
}

/**
 * Digits without the zeros at either end, and the number of zeros taken off the end. A regular expression would take
 * quadratic time.
 */
export function withoutOuterZeros(digits: string): { readonly text: string; readonly zerosAfter: number } {
  let first = 0;
  while (digits[first] === '0') first += 1;
  let end = digits.length;
  while (end > first && digits[end - 1] === '0') end -= 1;
  return { text: digits.slice(first, end), zerosAfter: digits.length - end };
}
