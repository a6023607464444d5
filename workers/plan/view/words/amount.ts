import { defined } from '../../../exact/defined.ts';
import { describeMicroseconds } from '../../../exact/durations.ts';
import { formatNumber } from '../../../exact/numbers.ts';
import type { ValueType } from '../../language/types.ts';
import { formatValue, type Value } from '../../language/values.ts';
import { code } from './escape.ts';

/** `25,000.00` */
export function describeAmount(numerator: bigint, scale: number): string {
  const [whole = '', fraction] = formatNumber({ numerator, scale }).split('.');
  const grouped = defined(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A value as a code span. A duration is in words, such as 1h30m. */
export function valueInWords(value: Value, type: ValueType): string {
  if (type.type === 'duration' && typeof value === 'bigint') return describeMicroseconds(value);
  return code(String(formatValue(value, type)));
}
