import { LanguageError } from '../../exact/language-error.ts';
import { type Expression, literal } from './terms.ts';
import type { ValueType } from './types.ts';

/**
 * What an expression yields. Ints are numbers of scale 0. An enum's literal alone does not say which enum it is of
 * (`declared` is undefined): it waits in `used` until it meets an operand that does.
 */
export type Sort =
  | { readonly sort: 'number'; readonly scale: number }
  | { readonly sort: 'bool' }
  | { readonly sort: 'string' }
  | { readonly sort: 'enum'; readonly declared: readonly string[] | undefined; readonly used: readonly string[] };

export interface Typed {
  readonly sort: Sort;
  readonly expression: Expression;
}

export interface Operand extends Typed {
  /** JSON pointer to where it was written. */
  readonly path: string;
}

export function sortOf(type: ValueType): Sort {
  switch (type.type) {
    case 'int':
      return { sort: 'number', scale: 0 };
    case 'decimal':
      return { sort: 'number', scale: type.scale };
    case 'bool':
    case 'string':
      return { sort: type.type };
    case 'enum':
      return { sort: 'enum', declared: type.values, used: [] };
  }
}

export const BOOL: Sort = { sort: 'bool' };

/** The operands' expressions, all of which must be of a sort. */
export function allOf(sort: 'bool', operands: readonly Operand[]): readonly Expression[] {
  for (const operand of operands) if (operand.sort.sort !== sort) throw mismatch(operand, sort);
  return operands.map(({ expression }) => expression);
}

/** The scale of a number. */
export function scaleOf(operand: Operand): number {
  if (operand.sort.sort !== 'number') throw mismatch(operand, 'number');
  return operand.sort.scale;
}

/** Numbers at their common scale, the largest: exact, as no digit is ever dropped. */
export function align(operands: readonly Operand[]): { readonly sort: Sort; readonly aligned: readonly Expression[] } {
  const scale = Math.max(...operands.map(scaleOf));
  const aligned = operands.map((operand) => rescale(operand.expression, scale - scaleOf(operand)));
  return { sort: { sort: 'number', scale }, aligned };
}

/** Operands of one sort, whichever it is: numbers aligned, and the literals of an enum among its values. */
export function unify(operands: readonly Operand[]): { readonly sort: Sort; readonly aligned: readonly Expression[] } {
  const [first] = operands;
  if (first?.sort.sort === 'number') return align(operands);
  let sort = first?.sort ?? BOOL;
  for (const operand of operands) sort = meet(sort, operand);
  return { sort, aligned: operands.map(({ expression }) => expression) };
}

/** An operand where a type is wanted; a number of fewer decimals is taken at the type's scale. */
export function convert(operand: Operand, type: ValueType): Expression {
  const wanted = sortOf(type);
  if (wanted.sort !== 'number') {
    meet(wanted, operand);
    return operand.expression;
  }
  const missing = wanted.scale - scaleOf(operand);
  if (missing < 0) throw new LanguageError('TYPE_MISMATCH', operand.path, `has more than ${wanted.scale} decimals`);
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
  const isSame = other.declared === undefined || new Set([...declared, ...other.declared]).size === declared.length;
  if (!isSame || declared.length !== (other.declared ?? declared).length) {
    throw new LanguageError('TYPE_MISMATCH', operand.path, 'is of an enum with other values');
  }
  const unknown = used.find((value) => !declared.includes(value));
  if (unknown === undefined) return { sort: 'enum', declared, used: [] };
  throw new LanguageError('UNKNOWN_VALUE', operand.path, `meets ${JSON.stringify(unknown)}, which is not of its enum`);
}

function rescale(expression: Expression, digits: number): Expression {
  if (digits === 0) return expression;
  const by = 10n ** BigInt(digits);
  // Literals stay literals, for "*", which wants one.
  if (expression.op !== 'literal' || typeof expression.value !== 'bigint') return { op: '*', arg: expression, by };
  return literal(expression.value * by);
}

function mismatch({ sort, path }: Operand, wanted: string): LanguageError {
  return new LanguageError('TYPE_MISMATCH', path, `is of sort ${sort.sort} where ${wanted} is wanted`);
}
