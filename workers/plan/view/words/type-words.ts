import { DocumentError } from '../../../exact/document-error.ts';
import { parseShape } from '../../language/shapes.ts';
import { FOLDED_TYPES } from '../../language/types.ts';
import { readAnyType } from '../../read/read-state.ts';
import { describeShape, describeType } from '../../text/types/describe-type.ts';
import { code } from './escape.ts';
import { fieldsOf } from './json-expression.ts';

/** A type as authors write it, as a code span. `others` are properties of the part itself, such as `value`. */
export function typeInWords(json: unknown, ...others: readonly string[]): string {
  try {
    if (fieldsOf(json).get('type') === 'map') return code(describeType(readAnyType(json, '', others)));
    const shape = parseShape(json, '', FOLDED_TYPES, others);
    return `${code(describeShape(shape))}${shape.isOptional ? ' (may be left out)' : ''}`;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return code(JSON.stringify(json) ?? '');
  }
}

/** `exactly once`, `0 to 200 times` */
export function timesInWords(min: number, max: number): string {
  if (min === max) return min === 1 ? 'exactly once' : `exactly ${min} times`;
  return min === 0 && max === 1 ? 'at most once' : `${min} to ${max} times`;
}
