const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?(-?)0*([0-9]+))?$/;
const SHORT_INTEGER = /^-?[1-9][0-9]{0,14}$/;
/** Of an exponent. No type of the language has numbers near it, and a longer one would take long to compute. */
const MAX_EXPONENT_DIGITS = 18;

/**
 * The one text of a JSON number's exact value: digits without zeros at either end, and an exponent. `8e1` for `80.00`,
 * `0` for every zero.
 */
export function canonicalNumber(literal: string): string {
  if (SHORT_INTEGER.test(literal) && !literal.endsWith('0')) return `${literal}e0`;
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const digits = withoutOuterZeros(whole + fraction);
  if (digits.text === '') return '0';
  const written = `${exponentSign}${exponent}`;
  if (exponent.length > MAX_EXPONENT_DIGITS) return `${sign}${whole}.${fraction}e${written}`;
  const shift = BigInt(digits.zerosAfter) - BigInt(fraction.length);
  return `${sign}${digits.text}e${BigInt(written) + shift}`;
}

/** Without a regular expression, which would take quadratic time. */
export function withoutOuterZeros(digits: string): { readonly text: string; readonly zerosAfter: number } {
  let first = 0;
  while (digits[first] === '0') first += 1;
  let end = digits.length;
  while (end > first && digits[end - 1] === '0') end -= 1;
  return { text: digits.slice(first, end), zerosAfter: digits.length - end };
}
