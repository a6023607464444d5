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
  const digits = withoutZeros(whole + fraction);
  if (digits === undefined) return '0';
  const written = `${exponentSign}${exponent}`;
  if (exponent.length > MAX_EXPONENT_DIGITS) return `${sign}${whole}.${fraction}e${written}`;
  const shift = BigInt(digits.dropped) - BigInt(fraction.length);
  return `${sign}${digits.text}e${BigInt(written) + shift}`;
}

/** Undefined for zeros alone. `dropped`: how many were at the end. Without a regular expression, which would backtrack. */
function withoutZeros(digits: string): { readonly text: string; readonly dropped: number } | undefined {
  let first = 0;
  while (digits[first] === '0') first++;
  if (first === digits.length) return undefined;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return { text: digits.slice(first, end), dropped: digits.length - end };
}
