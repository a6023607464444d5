import { DocumentError } from '../../../exact/document-error.ts';
import { convert, sortOf } from '../../language/operands.ts';
import type { ValueType } from '../../language/types.ts';
import { describeType } from '../types/describe-type.ts';
import { CelError } from './cel-error.ts';
import { type Lowered, type Lowering, offsetOf } from './lowering.ts';
import { describeSort } from './misfit.ts';
import type { Syntax } from './syntax.ts';

/** An expression whose value has a type. @throws {CelError} TYPE_MISMATCH. `what` names the place in the message */
export function ofType(
  syntax: Syntax,
  { type, what }: { readonly type: ValueType; readonly what: string },
  lowering: Lowering,
): Lowered {
  const wanted = sortOf(type);
  const operand = lowering.lower(syntax, wanted);
  try {
    convert(operand, type);
    return operand;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { sort } = operand;
    const isNumber = sort.sort === 'number' && wanted.sort === 'number';
    const found = isNumber ? `has ${sort.scale} decimals` : `is ${describeSort(sort)}`;
    throw new CelError('TYPE_MISMATCH', offsetOf(operand), `${what} is ${describeType(type)}, and this ${found}`);
  }
}
