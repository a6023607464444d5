import { MAX_SCALE } from '../../../workers/exact/bounds.ts';
import { DocumentError } from '../../../workers/exact/document-error.ts';
import { formatNumber, parseNumber } from '../../../workers/exact/numbers.ts';

/** An amount as a whole number of its smallest unit, 10^-18: amounts of all scales can be added. */
export type Units = bigint;

/** Undefined for what is not a number of a plan: a text such as "80.00", or a safe JSON integer. */
export function readUnits(value: unknown): Units | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  try {
    const { numerator, scale } = parseNumber(text, '');
    return scale > MAX_SCALE ? undefined : numerator * 10n ** BigInt(MAX_SCALE - scale);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Writes an amount with as many decimals as `like` has, and more only if they are not zeros. */
export function writeUnits(units: Units, like: string): string {
  const [, decimals = ''] = like.split('.');
  let scale = MAX_SCALE;
  let numerator = units;
  while (scale > decimals.length && numerator % 10n === 0n) {
    numerator /= 10n;
    scale -= 1;
  }
  return formatNumber({ numerator, scale });
}

/** An amount as PostgreSQL reads and writes `numeric`. */
export const toNumeric = (units: Units): string => writeUnits(units, '0');

/** Reads a `numeric` that this module wrote, or a sum of them. @throws {Error} for any other text */
export function fromNumeric(text: string): Units {
  const [whole = '', decimals = ''] = text.split('.');
  if (!/^[0-9]+$/.test(whole) || !/^[0-9]*$/.test(decimals) || decimals.length > MAX_SCALE) {
    throw new Error('a stored amount is not one');
  }
  return BigInt(whole + decimals.padEnd(MAX_SCALE, '0'));
}
