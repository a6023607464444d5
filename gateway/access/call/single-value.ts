import { AppError } from '../../errors/app-error.ts';

/** The only value of a header. Repeated headers are refused: two readers could pick different values. */
export function singleValue(
  values: readonly string[],
  code: 'MALFORMED_PAYMENT' | 'MALFORMED_PROOF',
  name: string,
): string | undefined {
  if (values.length > 1) throw new AppError(code, `${name} was sent more than once`);
  return values[0];
}
