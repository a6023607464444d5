import { digestCanonical } from '../proof/digests.ts';
import { jsonOf } from './run-records.ts';

/** A number as its exact value, in the one form that all literals of this value have. */
class ExactNumber {
  readonly text: string;

  constructor(literal: string) {
    this.text = canonicalNumber(literal);
  }
}

/**
 * The digest of what an artifact says, if it is JSON. White space, the order of members, escapes and the way in which
 * numbers are written do not count, so that one receipt has one digest: `80.0` and `8e1` are the same number. RFC 8785
 * would round numbers to doubles; two receipts that differ in the twentieth digit are not the same.
 */
export function digestEvidence(content: Buffer): string | undefined {
  const { json } = jsonOf(content);
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json, (_key, each: unknown, context?: { readonly source?: string }) => {
    return typeof each === 'number' ? new ExactNumber(context?.source ?? String(each)) : each;
  });
  return digestCanonical('artifact', Buffer.from(canonicalText(value)));
}

function canonicalText(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${members.join(',')}}`;
}

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?(-?)0*([0-9]+))?$/;
/** Of an exponent. No type of the language has numbers near it, and a longer one would take long to compute. */
const MAX_EXPONENT_DIGITS = 18;

/** Digits without zeros at either end, and an exponent: `8e1` for `80.00`, `0` for every zero. */
function canonicalNumber(literal: string): string {
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
