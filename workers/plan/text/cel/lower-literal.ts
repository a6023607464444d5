import { MAX_DIGITS, MAX_SCALE } from '../../../exact/bounds.ts';
import type { Sort } from '../../language/types.ts';
import { didYouMean } from '../faults/suggest.ts';
import { decimalsOf, isNumber } from '../types/read-value.ts';
import { quote } from '../yaml/fields.ts';
import { CelError } from './cel-error.ts';
import { type Lowered, type Lowering, lowered } from './lowering.ts';
import type { BoolSyntax, NumberSyntax, StringSyntax } from './syntax.ts';

/** A number as written: `100.00` has two decimals. @throws {CelError} */
export function lowerNumber({ text, at }: Pick<NumberSyntax, 'text' | 'at'>, lowering: Lowering): Lowered {
  const written = /^-?0x/.test(text) ? hexadecimal(text) : text;
  if (!isNumber(written)) {
    throw new CelError(
      'MALFORMED_NUMBER',
      at,
      `${quote(text)} is not an exact number: write digits such as 12 or 0.50, without separators or leading zeros`,
    );
  }
  if (/^-0(?:\.0*)?$/.test(written)) throw new CelError('MALFORMED_NUMBER', at, 'there is no negative zero: write 0');
  if (written.replace(/[-.]/g, '').length > MAX_DIGITS) {
    throw new CelError('MALFORMED_NUMBER', at, `the number has more than ${MAX_DIGITS} digits`);
  }
  const scale = decimalsOf(written);
  if (scale > MAX_SCALE) {
    throw new CelError('MALFORMED_NUMBER', at, `the number has more than ${MAX_SCALE} decimals`);
  }
  const isSafe = scale === 0 && Number.isSafeInteger(Number(written));
  const json = isSafe ? Number(written) : [scale > 0 ? 'dec' : 'int', written];
  return lowered(json, at, lowering);
}

function hexadecimal(text: string): string {
  const digits = text.replace('-', '');
  if (!/^0x[0-9a-fA-F]{1,32}$/.test(digits)) return text;
  return `${text.startsWith('-') ? '-' : ''}${BigInt(digits)}`;
}

export const lowerBool = ({ value, at }: BoolSyntax, lowering: Lowering): Lowered =>
  lowered(['bool', value], at, lowering);

/** A text, or a value of the enum that the place wants. @throws {CelError} UNKNOWN_VALUE */
export function lowerString({ value, at }: StringSyntax, expected: Sort | undefined, lowering: Lowering): Lowered {
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new CelError('MALFORMED_VALUE', at, 'the text has a NUL or half a character');
  }
  if (expected?.sort !== 'enum') return lowered(['str', value], at, lowering);
  const values = expected.declared ?? [];
  if (values.includes(value)) return { ...lowered(['enum', value], at, lowering), sort: expected };
  const hint = didYouMean(value, values);
  throw new CelError('UNKNOWN_VALUE', at, `${quote(value)} is not among the values ${values.join(', ')}.${hint}`);
}
