import type { ValueType } from '../../language/types.ts';
import type { Binder, Scope } from './scope.ts';
import type { Sort } from './sorts.ts';
import { sortOf } from './sorts.ts';
import type { Syntax } from './syntax.ts';

/** An expression of the canonical form: a list that begins with an operator, or a safe integer. */
export type Json = number | string | boolean | readonly Json[];

/** An expression in canonical form, and what is known about its value. */
export interface Lowered {
  readonly json: Json;
  readonly sort: Sort;
  readonly at: number;
  /** Whether the value is at least 0 in every run. Unknown counts as no. */
  readonly isNonNegative: boolean;
  /** A number that is written here. */
  readonly isNumeral: boolean;
}

/** The state of turning syntax into canonical form. */
export interface Lowering {
  readonly scope: Scope;
  readonly binders: ReadonlyMap<string, Binder>;
  /** @param expected a sort that the place wants: a text is then one of an enum's values */
  readonly lower: (syntax: Syntax, expected?: Sort) => Lowered;
  /** The same with one more name. */
  readonly bind: (name: string, binder: Binder) => Lowering;
}

export const lowered = (json: Json, sort: Sort, at: number): Lowered => {
  return { json, sort, at, isNonNegative: false, isNumeral: false };
};

/** A reference to something of a type. */
export const reference = (json: Json, type: ValueType, at: number): Lowered => {
  return { ...lowered(json, sortOf(type), at), isNonNegative: isNonNegative(type) };
};

function isNonNegative(type: ValueType): boolean {
  return (type.type === 'int' || type.type === 'decimal') && type.min >= 0n;
}
