import type { ValueType } from '../../language/types.ts';
import { describeType } from '../types/describe-type.ts';
import { CelError } from './cel-error.ts';
import type { Lowered, Lowering } from './lowering.ts';
import { describeSort, isComparable, sortOf } from './sorts.ts';
import type { Syntax } from './syntax.ts';

/** An expression whose value has a type. @throws {CelError} TYPE_MISMATCH. `what` names the place in the message */
export function ofType(
  syntax: Syntax,
  { type, what }: { readonly type: ValueType; readonly what: string },
  lowering: Lowering,
): Lowered['json'] {
  const wanted = sortOf(type);
  const { json, sort, at } = lowering.lower(syntax, wanted);
  if (!isComparable(sort, wanted)) {
    throw new CelError('TYPE_MISMATCH', at, `${what} is ${describeType(type)}, and this is ${describeSort(sort)}`);
  }
  if (sort.sort === 'number' && wanted.sort === 'number' && sort.scale > wanted.scale) {
    throw new CelError('TYPE_MISMATCH', at, `${what} is ${describeType(type)}, and this has ${sort.scale} decimals`);
  }
  return json;
}
