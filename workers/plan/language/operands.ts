import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { type Expression, literal } from './terms.ts';
import { type Sort, scaleOf, type ValueType } from './types.ts';

export interface Typed {
  readonly sort: Sort;
  readonly expression: Expression;
}

export interface Operand extends Typed {
  /** JSON pointer to the operand in the document. */
  readonly path: string;
}

export function sortOf(type: ValueType): Sort {
  switch (type.type) {
    case 'int':
    case 'decimal':
      return { sort: 'number', scale: scaleOf(type) };
    case 'bool':
    case 'string':
    case 'time':
    case 'duration':
      return { sort: type.type };
    case 'enum':
      return { sort: 'enum', declared: type.values, used: [] };
  }
}

export const BOOL: Sort = { sort: 'bool' };

/** The operands' expressions. @throws {DocumentError} TYPE_MISMATCH if one is not of the sort */
export function allOf(sort: 'bool', operands: readonly Operand[]): readonly Expression[] {
  for (const operand of operands) if (operand.sort.sort !== sort) throw mismatch(operand, sort);
  return operands.map(({ expression }) => expression);
}

/** The number of decimals. @throws {DocumentError} TYPE_MISMATCH if the operand is not a number */
export function decimalsOf(operand: Operand): number {
  if (operand.sort.sort !== 'number') throw mismatch(operand, 'number');
  return operand.sort.scale;
}

/** Numbers at their largest scale. This is exact because no digit is dropped. */
export function align(operands: readonly Operand[]): { readonly sort: Sort; readonly aligned: readonly Expression[] } {
  const scale = Math.max(...operands.map(decimalsOf));
  const aligned = operands.map((operand) => rescale(operand.expression, scale - decimalsOf(operand)));
  return { sort: { sort: 'number', scale }, aligned };
}

/**
 * Operands of one sort, at least one: numbers are aligned, and literals of an enum are among its values.
 * @throws {DocumentError} TYPE_MISMATCH, UNKNOWN_VALUE
 */
export function unify(operands: readonly Operand[]): { readonly sort: Sort; readonly aligned: readonly Expression[] } {
  let { sort } = defined(operands[0]);
  if (sort.sort === 'number') return align(operands);
  for (const operand of operands) sort = meet(sort, operand);
  return { sort, aligned: operands.map(({ expression }) => expression) };
}

/** An operand as a value of a type. A number with fewer decimals is converted to the type's scale. */
export function convert(operand: Operand, type: ValueType): Expression {
  const wanted = sortOf(type);
  if (wanted.sort !== 'number') {
    meet(wanted, operand);
    return operand.expression;
  }
  const missing = wanted.scale - decimalsOf(operand);
  if (missing < 0) throw new DocumentError('TYPE_MISMATCH', operand.path, `has more than ${wanted.scale} decimals`);
  return rescale(operand.expression, missing);
}

function meet(sort: Sort, operand: Operand): Sort {
  const other = operand.sort;
  if (sort.sort !== 'enum' || other.sort !== 'enum') {
    if (sort.sort !== other.sort) throw mismatch(operand, sort.sort);
    return sort;
  }
  const declared = sort.declared ?? other.declared;
  const used = [...sort.used, ...other.used];
  if (declared === undefined) return { sort: 'enum', declared, used };
  if (other.declared !== undefined && !haveSameValues(declared, other.declared)) {
    throw new DocumentError('TYPE_MISMATCH', operand.path, 'is of an enum with other values');
  }
  const unknown = used.find((value) => !declared.includes(value));
  if (unknown === undefined) return { sort: 'enum', declared, used: [] };
  const message = `is combined with ${JSON.stringify(unknown)}, which is not a value of its enum`;
  throw new DocumentError('UNKNOWN_VALUE', operand.path, message);
}

/** Whether two enums have the same values, in any order. An enum has each value once. */
export const haveSameValues = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;

function rescale(expression: Expression, digits: number): Expression {
  if (digits === 0) return expression;
  const by = 10n ** BigInt(digits);
  // A literal stays a literal because "*" requires one.
  if (expression.op !== 'literal' || typeof expression.value !== 'bigint') return { op: '*', arg: expression, by };
  return literal(expression.value * by);
}

function mismatch({ sort, path }: Operand, wanted: string): DocumentError {
  return new DocumentError('TYPE_MISMATCH', path, `is of sort ${sort.sort}, and ${wanted} is required`);
}
